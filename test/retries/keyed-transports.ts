import type { TestGateway } from '@gateway/testing'

export interface KeyedAnswer {
  readonly ok: boolean
  /** Result, or the record of the refusal without the id of its request. */
  readonly value: Readonly<Record<string, unknown>>
  readonly replayed: boolean
  /** True if the replay leaves out what was shown once. */
  readonly omitted: boolean
}
export type Args = Readonly<Record<string, unknown>>
export type KeyedCall = (tool: string, args: Args, key: string) => Promise<KeyedAnswer>

const STATELESS = '2026-07-28'
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'retries', version: '1' } }
const META = { 'io.modelcontextprotocol/protocolVersion': STATELESS, 'io.modelcontextprotocol/clientCapabilities': {} }

/** Calls a tool over REST and over both protocols of MCP. */
export async function keyedTransports(gateway: TestGateway): Promise<Readonly<Record<'rest' | 'handshake' | 'stateless', KeyedCall>>> {
  const opened = await mcp(gateway, { id: 0, method: 'initialize', params: HELLO }, {})
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': HELLO.protocolVersion }
  return {
    rest: (tool, args, key) => requestWithKey(gateway, { method: 'POST', url: `/api/tools/${tool}`, body: args }, key),
    handshake: async (name, args, key) => {
      const params = { name, arguments: args, _meta: { 'gateway/idempotencyKey': key } }
      return ofMcp((await mcp(gateway, { id: 1, method: 'tools/call', params }, session)).json())
    },
    stateless: async (name, args, key) => {
      const headers = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': name }
      const params = { name, arguments: args, _meta: { 'gateway/idempotencyKey': key, ...META } }
      return ofMcp((await mcp(gateway, { id: 1, method: 'tools/call', params }, headers)).json())
    },
  }
}

interface Request {
  readonly method: string
  readonly url: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

export async function requestWithKey(gateway: TestGateway, { headers, ...request }: Request, key: string): Promise<KeyedAnswer> {
  const answer = await gateway.inject({ ...request, headers: { ...headers, 'idempotency-key': key } })
  return {
    ok: answer.status < 400,
    value: answer.body === '' ? {} : withoutRequestId(answer.json()),
    replayed: answer.headers['idempotency-replayed'] === 'true',
    omitted: answer.headers['idempotency-omitted'] !== undefined,
  }
}

function mcp(gateway: TestGateway, message: object, headers: Record<string, string>) {
  const accept = 'application/json, text/event-stream'
  const body = { jsonrpc: '2.0', ...message }
  return gateway.inject({ method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json', accept, ...headers }, body })
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
function ofMcp({ result, error }: any): KeyedAnswer {
  if (error) return { ok: false, value: error, replayed: false, omitted: false }
  const meta = result._meta ?? {}
  return {
    ok: result.isError !== true,
    value: withoutRequestId(result.structuredContent),
    replayed: meta['gateway/replayed'] === true,
    omitted: meta['gateway/omitted'] !== undefined,
  }
}

function withoutRequestId(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'requestId'))
}
