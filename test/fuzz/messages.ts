import { type Random, upTo } from '../crash/powercut/random.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Headers = Record<string, string>
export interface Post {
  readonly headers: Headers
  readonly body: Json
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[upTo(random, list.length)] as T

type Call = readonly [method: string, params: { readonly [key: string]: Json }]

/** Calls that both protocols have. */
const common = (n: number): readonly Call[] => [
  ['tools/list', {}],
  ['tools/call', { name: 'fuzz_mine', arguments: { n } }],
  ['tools/call', { name: 'fuzz_mine', arguments: { n } }],
  ['tools/call', { name: 'fuzz_marked', arguments: { n } }],
  ['tools/call', { name: 'fuzz_steps', arguments: { n, steps: n % 4 } }],
  ['tools/call', { name: 'tasks_list', arguments: { repo: 'app' } }],
  ['tools/call', { name: 'no_such_tool', arguments: {} }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'fuzz://secret' }],
  ['resources/read', { uri: 'fuzz://of/it' }],
  ['resources/read', { uri: 'fuzz://none' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'fuzz_prompt', arguments: { what: 'x' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'fuzz://of/{what}' }, argument: { name: 'what', value: 'x' } }],
]

const handshakeCalls = (n: number): readonly Call[] => [
  ...common(n),
  ['ping', {}],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo: { name: 'fuzz', version: '1' } }],
  ['logging/setLevel', { level: 'debug' }],
  ['resources/subscribe', { uri: 'fuzz://secret' }],
  ['resources/unsubscribe', { uri: 'fuzz://secret' }],
]

const statelessCalls = (n: number): readonly Call[] => [
  ...common(n),
  ['server/discover', {}],
  ['tasks/get', { taskId: 'none' }],
  ['tasks/update', { taskId: 'none', inputResponses: {} }],
  ['tasks/cancel', { taskId: 'none' }],
]

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
export const STATELESS = '2026-07-28'

/** Returns a message of a client that did the handshake, or never will. */
export function handshakePost(random: Random, id: Json, n: number, session: string | undefined): Post {
  const headers: Headers = session === undefined ? {} : { 'mcp-session-id': session }
  if (random() < 0.5) headers['mcp-protocol-version'] = pick(random, VERSIONS)
  if (random() < 0.1) return { headers, body: untoldMessage(random, id) }
  if (random() < 0.08) return { headers, body: [1, 2, 3].map((k) => ask(random, `${String(id)}-${k}`, pick(random, handshakeCalls(n)))) }
  const call = pick(random, handshakeCalls(n))
  if (call[0] === 'initialize') delete headers['mcp-session-id']
  return { headers, body: ask(random, id, call) }
}

/** Returns a message that gets no answer. */
function untoldMessage(random: Random, id: Json): Json {
  return pick<Json>(random, [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', id: 'q1', result: { action: 'cancel' } },
    { jsonrpc: '2.0', id: 'q1', error: { code: -1, message: 'no' } },
  ])
}

function ask(random: Random, id: Json, [method, params]: Call): Json {
  const meta = random() < 0.5 ? {} : { _meta: { progressToken: pick<Json>(random, [1, 'p']) } }
  return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } }
}

export function statelessPost(random: Random, id: Json, n: number): Post {
  const [method, params] = pick(random, statelessCalls(n))
  return statelessRequest(id, method, params, {
    ...(random() < 0.5 && { progressToken: 7 }),
    ...(random() < 0.3 && { 'io.modelcontextprotocol/logLevel': 'debug' }),
  })
}

export function statelessRequest(
  id: Json,
  method: string,
  params: { readonly [key: string]: Json },
  meta: { readonly [key: string]: Json } = {},
): Post {
  const subject = params.name ?? params.uri ?? params.taskId
  const { n } = (params.arguments ?? {}) as { n?: Json }
  return {
    headers: {
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(typeof subject === 'string' && { 'mcp-name': subject }),
      ...(params.name === 'fuzz_marked' && { 'mcp-param-n': String(n) }),
    },
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': STATELESS,
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
          ...meta,
        },
      },
    },
  }
}
