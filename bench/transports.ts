import { SignJWT } from 'jose'
import type { Figures, Step } from './load.ts'
import { medians, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, type Server, secrets, startGateway, startServer } from './processes.ts'

export type Transport = 'bare' | 'rest' | 'mcp' | 'stateless' | 'key' | 'session' | 'read' | 'sdk' | 'sdkShared'

export interface TransportFigures {
  readonly figures: Readonly<Record<Transport, Figures>>
  /** Calls per second over this transport, relative to the other in the same round. */
  ratio(transport: Transport, other: Transport): Spread
}

const CONNECTIONS = 64
/** Many short turns rather than a few long ones: a shared machine’s speed changes by the second. */
const ROUNDS = 3
const WARM_UP = 0.5
const rpc = (name: string, args: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const args = { repo: 'quiet' }
const VERSION = '2026-07-28'
/** Metadata that a request without a handshake sends, in its body and again in its headers. */
const meta = { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': {} }
const statelessHeaders = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'bench_peek' }

const peek = { path: '/api/tools/bench_peek', body: args, expect: '"task":null' }

/** Reads over each transport: one answered from memory, like the two servers it is compared with, and one that asks the store. */
const requests: Record<Transport, Pick<Step, 'path' | 'body' | 'expect'>> = {
  bare: { ...peek, path: '/' },
  rest: peek,
  mcp: { ...peek, path: '/mcp', body: rpc('bench_peek', args) },
  stateless: {
    ...peek,
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bench_peek', arguments: args, _meta: meta } },
  },
  key: peek,
  session: peek,
  read: { ...peek, path: '/api/tools/tasks_next' },
  sdk: { ...peek, path: '/mcp', body: rpc('tool_94', args) },
  sdkShared: { ...peek, path: '/mcp', body: rpc('tool_94', args) },
}

export async function measureTransports({ seconds, rounds, folder }: Plan): Promise<TransportFigures> {
  const [gateway, bare, sdk, sdkShared] = await Promise.all([
    startGateway(folder(), { peek: true }),
    startServer('bare'),
    startServer('sdk'),
    startServer('sdk', 'shared'),
  ])
  const servers: Record<Transport, Server> = {
    bare,
    rest: gateway,
    mcp: gateway,
    stateless: gateway,
    key: gateway,
    session: gateway,
    read: gateway,
    sdk,
    sdkShared,
  }
  const transports = Object.keys(requests) as Transport[]
  const headers: Partial<Record<Transport, Record<string, string>>> = {
    stateless: statelessHeaders,
    key: { 'x-api-key': await issueKey(gateway.port) },
    session: { authorization: `Bearer ${await signSession()}` },
  }
  const measured: Record<Transport, Figures[]> = {
    bare: [],
    rest: [],
    mcp: [],
    stateless: [],
    key: [],
    session: [],
    read: [],
    sdk: [],
    sdkShared: [],
  }
  try {
    for (let round = 0; round < rounds * ROUNDS; round += 1) {
      for (const transport of transports) {
        const request = { ...requests[transport], headers: headers[transport] ?? {} }
        const steps = [
          { ...request, seconds: WARM_UP },
          { ...request, seconds: seconds / ROUNDS, name: transport },
        ]
        const figures = (await load({ port: servers[transport].port, connections: CONNECTIONS, steps }))[transport]
        if (figures === undefined) throw new Error(`nothing was measured over ${transport}`)
        measured[transport].push(figures)
      }
    }
  } finally {
    await Promise.all([gateway.stop(), bare.stop(), sdk.stop(), sdkShared.stop()])
  }
  return {
    figures: Object.fromEntries(transports.map((transport) => [transport, medians(measured[transport])])) as Record<Transport, Figures>,
    ratio: (transport, other) =>
      spread(measured[transport].map(({ perSecond }, round) => perSecond / (measured[other][round]?.perSecond ?? Number.NaN))),
  }
}

/** Issues a key of the tenant that local calls act on, so that all callers read the same store. */
async function issueKey(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/tenants/local/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-token': secrets.admin },
    body: JSON.stringify({ role: 'member' }),
  })
  return ((await response.json()) as { apiKey: string }).apiKey
}

function signSession(): Promise<string> {
  return new SignJWT({ sub: 'bench', tenantId: 'local', role: 'member' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secrets.session))
}
