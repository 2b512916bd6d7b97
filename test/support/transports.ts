import assert from 'node:assert/strict'
import type { TestGateway } from '@gateway/testing'
import { startBridge } from './bridge-process.ts'

/** A caller's view of one call, over any transport. */
export interface Answer {
  readonly ok: boolean
  readonly value: unknown
}

export interface Callee {
  readonly name: string
  readonly rest?: string | undefined
}
type Args = Readonly<Record<string, unknown>>

/** A way to call tools, ready to be used. */
export interface OpenTransport {
  call(tool: Callee, args: Args): Promise<Answer>
  close(): Promise<void>
}

export interface Transport {
  /** Name in the audit trail. */
  readonly via: 'mcp' | 'rest'
  open(gateway: TestGateway, apiKey?: string): Promise<OpenTransport>
}

const STATELESS = '2026-07-28'
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'parity', version: '1' } }
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const withoutRequestId = (value: unknown): unknown => {
  const { requestId: _, ...rest } = value as Record<string, unknown>
  return rest
}

/**
 * The answer of `tools/call`; also checks that the text equals the structured content. // biome-ignore
 * lint/suspicious/noExplicitAny: a test reads what it expects
 */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
function ofMcp({ result, error }: any): Answer {
  if (error) return { ok: false, value: error }
  const { content, structuredContent, isError } = result
  if (isError) assert.equal(content[0].text, structuredContent.error)
  else assert.deepEqual(JSON.parse(content[0].text), structuredContent)
  return isError ? { ok: false, value: withoutRequestId(structuredContent) } : { ok: true, value: structuredContent }
}

const ofRest = ({ status, json }: { status: number; json(): unknown }): Answer =>
  status < 400 ? { ok: true, value: json() } : { ok: false, value: withoutRequestId(json()) }

const keyHeader = (apiKey: string | undefined): Record<string, string> => (apiKey === undefined ? {} : { 'x-api-key': apiKey })

async function post(gateway: TestGateway, body: object, headers: Record<string, string>) {
  return await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
}

const handshake: Transport = {
  via: 'mcp',
  async open(gateway, apiKey) {
    const opened = await post(gateway, { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO }, keyHeader(apiKey))
    const headers = {
      ...keyHeader(apiKey),
      'mcp-session-id': String(opened.headers['mcp-session-id']),
      'mcp-protocol-version': HELLO.protocolVersion,
    }
    await post(gateway, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
    return {
      async call({ name }, args) {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
        return ofMcp((await post(gateway, body, headers)).json())
      },
      async close() {
        await gateway.inject({ method: 'DELETE', url: '/mcp', headers })
      },
    }
  },
}

const stateless: Transport = {
  via: 'mcp',
  async open(gateway, apiKey) {
    return {
      async call({ name }, args) {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } }
        const headers = { ...keyHeader(apiKey), 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': name }
        return ofStateless((await post(gateway, body, headers)).json())
      },
      close: async () => undefined,
    }
  },
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
function ofStateless(message: any): Answer {
  if (message.result) assert.equal(message.result.resultType, 'complete')
  return ofMcp(message)
}

const bridgeTo = (gateway: TestGateway, apiKey: string | undefined) =>
  startBridge(gateway.url, apiKey === undefined ? {} : { GATEWAY_API_KEY: apiKey })

const stdio: Transport = {
  via: 'mcp',
  async open(gateway, apiKey) {
    const bridge = bridgeTo(gateway, apiKey)
    await bridge.request('initialize', HELLO)
    bridge.notify('notifications/initialized')
    return {
      call: async ({ name }, args) => ofMcp(await bridge.request('tools/call', { name, arguments: args })),
      close: () => bridge.close(),
    }
  },
}

const statelessStdio: Transport = {
  via: 'mcp',
  async open(gateway, apiKey) {
    const bridge = bridgeTo(gateway, apiKey)
    return {
      call: async ({ name }, args) => ofStateless(await bridge.request('tools/call', { name, arguments: args, _meta: META })),
      close: () => bridge.close(),
    }
  },
}

const toolRoute: Transport = {
  via: 'rest',
  async open(gateway, apiKey) {
    return {
      call: async ({ name }, args) =>
        ofRest(await gateway.inject({ method: 'POST', url: `/api/tools/${name}`, headers: keyHeader(apiKey), body: args })),
      close: async () => undefined,
    }
  },
}

/**
 * The tool's own binding: path parameters filled in, the rest in the query of a GET or the body of anything else. Uses
 * the tool route if the tool has no binding, or if the arguments lack a path parameter.
 */
const binding: Transport = {
  via: 'rest',
  async open(gateway, apiKey) {
    const route = await toolRoute.open(gateway, apiKey)
    return {
      ...route,
      async call(tool, args) {
        const request = boundRequest(tool, args)
        return request ? ofRest(await gateway.inject({ ...request, headers: keyHeader(apiKey) })) : await route.call(tool, args)
      },
    }
  },
}

function boundRequest({ rest = '' }: Callee, args: Args): { method: string; url: string; body?: object } | undefined {
  const [method = '', path = ''] = rest.split(' ')
  const inPath = [...path.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name = '']) => name)
  if (path === '' || !inPath.every((name) => name in args)) return undefined
  const url = path.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const left = Object.entries(args).filter(([name]) => !inPath.includes(name))
  if (method !== 'GET') return { method, url, body: Object.fromEntries(left) }
  const query = new URLSearchParams(left.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])))
  return { method, url: query.size > 0 ? `${url}?${query}` : url }
}

/** Every way to call a tool. The first is the reference for the others. */
export const transports: Readonly<Record<string, Transport>> = {
  'tool route': toolRoute,
  binding,
  handshake,
  stateless,
  stdio,
  'stateless stdio': statelessStdio,
}
