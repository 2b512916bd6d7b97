import { SignJWT } from 'jose'
import type { Figures, Step } from './load.ts'
import { medians } from './median.ts'
import { load, type Server, secrets, startGateway, startServer } from './processes.ts'
import type { Plan } from './run.ts'

export type Face = 'bare' | 'rest' | 'mcp' | 'key' | 'session' | 'sdk'

const CONNECTIONS = 64
const rpc = (name: string, args: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const args = { repo: 'quiet' }

/** The same cheap read (no task is pending in the repo asked for) over each face, and the two servers it is compared with. */
const requests: Record<Face, Pick<Step, 'path' | 'body' | 'expect'>> = {
  bare: { path: '/', body: args, expect: '"task":null' },
  rest: { path: '/api/tools/tasks_next', body: args, expect: '"task":null' },
  mcp: { path: '/mcp', body: rpc('tasks_next', args), expect: '"task":null' },
  key: { path: '/api/tools/tasks_next', body: args, expect: '"task":null' },
  session: { path: '/api/tools/tasks_next', body: args, expect: '"task":null' },
  sdk: { path: '/mcp', body: rpc('tool_94', args), expect: '"task":null' },
}

export async function measureFaces({ seconds, rounds, folder }: Plan): Promise<Record<Face, Figures>> {
  const [gateway, bare, sdk] = await Promise.all([startGateway(folder()), startServer('bare'), startServer('sdk')])
  const servers: Record<Face, Server> = { bare, rest: gateway, mcp: gateway, key: gateway, session: gateway, sdk }
  const faces = Object.keys(requests) as Face[]
  const headers: Partial<Record<Face, Record<string, string>>> = {
    key: { 'x-api-key': await issueKey(gateway.port) },
    session: { authorization: `Bearer ${await signSession()}` },
  }
  const measured: Record<Face, Figures[]> = { bare: [], rest: [], mcp: [], key: [], session: [], sdk: [] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const face of faces) {
        const request = { ...requests[face], headers: headers[face] ?? {} }
        const steps = [
          { ...request, seconds: Math.min(seconds, 2) },
          { ...request, seconds, name: face },
        ]
        const figures = (await load({ port: servers[face].port, connections: CONNECTIONS, steps }))[face]
        if (figures !== undefined) measured[face].push(figures)
      }
    }
  } finally {
    await Promise.all([gateway.stop(), bare.stop(), sdk.stop()])
  }
  return Object.fromEntries(faces.map((face) => [face, medians(measured[face])])) as Record<Face, Figures>
}

/** A key of the tenant that local calls act on, so that all callers read the same store. */
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
