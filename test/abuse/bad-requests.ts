import { raw } from './wire.ts'

/** A request that must be refused, as one error record or JSON-RPC error that names the fault. */
export interface BadRequest {
  readonly says: string
  readonly bytes: string
  readonly status: number
  readonly code: string | number
  /** Text that the message must contain. */
  readonly names: string
}

const STATUS: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  UNKNOWN_DEPENDENCY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNKNOWN_TOOL: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  HEADERS_TOO_LARGE: 431,
}
const refused = (says: string, code: string, bytes: string, names = ''): BadRequest => ({
  says,
  bytes,
  status: STATUS[code] ?? 0,
  code,
  names,
})

type Headers = Readonly<Record<string, string>>
const tool = (name: string, body: string, headers: Headers = {}): string => raw('POST', `/api/tools/${name}`, headers, body)
const create = (body: string, headers: Headers = {}): string => tool('tasks_create', body, headers)
/** Returns a body that would be accepted, with one member more or another value. */
const task = (more: string): string => create(`{"repo":"app","title":"x",${more}}`)
const good = '{"repo":"app","title":"x"}'

const bodies: readonly BadRequest[] = [
  refused('half a JSON body', 'BAD_REQUEST', create('{"repo":"app","title":'), 'JSON'),
  refused('a form for JSON', 'BAD_REQUEST', create('repo=app&title=x'), 'JSON'),
  refused('two JSON values', 'BAD_REQUEST', create(good + good), 'JSON'),
  refused('a body that is null', 'BAD_REQUEST', create('null'), 'null'),
  refused('a body that is an array', 'BAD_REQUEST', create(`[${good}]`), 'array'),
  refused('a body that is a string', 'BAD_REQUEST', create('"create"'), 'string'),
  refused('a body nested 5,000 deep', 'BAD_REQUEST', create('{"a":'.repeat(5_000) + '1'.padEnd(5_001, '}')), 'nested'),
  refused('a body that is not UTF-8', 'BAD_REQUEST', create('{"repo":"app","title":"\xff"}'), 'UTF-8'),
  refused('a key __proto__', 'BAD_REQUEST', task('"__proto__":{"role":"owner"}'), '__proto__'),
  refused('a key __proto__ in escapes', 'BAD_REQUEST', task('"\\u005f_proto__":{"role":"owner"}'), '__proto__'),
  refused('a key __proto__ further inside', 'BAD_REQUEST', task('"notes":{"__proto__":{"role":"owner"}}'), '__proto__'),
  refused('a key constructor.prototype', 'BAD_REQUEST', task('"constructor":{"prototype":{"role":"owner"}}'), 'constructor'),
  refused('a body that is XML', 'UNSUPPORTED_MEDIA_TYPE', create('<task/>', { 'content-type': 'application/xml' }), 'application/xml'),
  refused('a body over the limit', 'PAYLOAD_TOO_LARGE', task(`"notes":"${'x'.repeat(1_100_000)}"`), '1048576'),
]

const values: readonly BadRequest[] = [
  refused('a missing argument', 'BAD_REQUEST', create('{"repo":"app"}'), 'title'),
  refused('no arguments at all', 'BAD_REQUEST', raw('POST', '/api/tools/tasks_create', { 'content-length': '0' })),
  refused('a number for a string', 'BAD_REQUEST', create('{"repo":"app","title":7}'), 'title'),
  refused('an operator for a string', 'BAD_REQUEST', create('{"repo":"app","title":{"$gt":""}}'), 'title'),
  refused('a string for a list', 'BAD_REQUEST', task('"dependsOn":"task-1"'), 'dependsOn'),
  refused('a value outside its list', 'BAD_REQUEST', task('"priority":"P9"'), 'priority'),
  refused('an argument nobody knows', 'BAD_REQUEST', task('"colour":"red"'), 'colour'),
  refused('a limit that is no number', 'BAD_REQUEST', tool('tasks_list', '{"limit":"many"}'), 'limit'),
  refused('a made-up cursor', 'BAD_REQUEST', tool('tasks_list', '{"cursor":"AAAA"}'), 'cursor'),
  refused('a task that waits for no task', 'UNKNOWN_DEPENDENCY', task('"dependsOn":["task-none"]'), 'task-none'),
  refused('a change of no task', 'NOT_FOUND', tool('tasks_update', '{"taskId":"task-none","status":"done"}'), 'task-none'),
  refused('a claim without a name', 'BAD_REQUEST', tool('tasks_claim', '{}'), 'claimedBy'),
  refused('a letter to nobody', 'BAD_REQUEST', tool('mail_send', '{"to":"","subject":"x"}'), 'to'),
]

const places: readonly BadRequest[] = [
  refused('an unknown tool', 'UNKNOWN_TOOL', tool('tasks_destroy', '{}'), 'tasks_destroy'),
  refused('a tool named __proto__', 'UNKNOWN_TOOL', tool('__proto__', '{}'), '__proto__'),
  refused('an unknown path', 'NOT_FOUND', raw('GET', '/api/nowhere'), '/api/nowhere'),
  refused('a path that climbs', 'NOT_FOUND', raw('GET', '/api/../../etc/passwd')),
  refused('a path of broken escapes', 'BAD_REQUEST', raw('GET', '/api/tools/%E0%A4%A')),
  refused('a method the path has not', 'METHOD_NOT_ALLOWED', raw('DELETE', '/api/tools/tasks_create'), 'DELETE'),
  refused('a foreign Host', 'FORBIDDEN', create(good, { host: 'evil.example' }), 'evil.example'),
  refused('a Host that begins like ours', 'FORBIDDEN', create(good, { host: '127.0.0.1.evil.example' })),
  refused('no Host', 'FORBIDDEN', 'GET /api/tools HTTP/1.1\r\n\r\n', 'absent'),
  refused('a foreign Origin', 'FORBIDDEN', create(good, { origin: 'https://evil.example' }), 'evil.example'),
  refused('the Origin of a sandboxed page', 'FORBIDDEN', create(good, { origin: 'null' })),
  refused('a forwarded request', 'UNAUTHORIZED', create(good, { 'x-forwarded-for': '203.0.113.9' })),
]

const rpc = (says: string, status: number, code: string | number, body: string, names = '', headers: Headers = {}): BadRequest => ({
  says: `over MCP, ${says}`,
  bytes: raw('POST', '/mcp', headers, body),
  status,
  code,
  names,
})
const call = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
const VERSION = '2026-07-28'
/** Returns a call that states its own protocol, with the headers that repeat it; `headers` replace some of those. */
const selfContained = (
  says: string,
  status: number,
  code: number,
  names: string,
  headers: Headers,
  method = 'tools/call',
  version = VERSION,
) => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'tasks_list', arguments: {}, _meta: meta } })
  const all = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': 'tasks_list', ...headers }
  return rpc(says, status, code, body, names, all)
}

const messages: readonly BadRequest[] = [
  rpc('half a message', 400, -32700, '{"jsonrpc":"2.0",', 'JSON'),
  rpc('a message that is a number', 400, -32600, '7', '7'),
  rpc('a message of another protocol', 400, -32600, '{"jsonrpc":"1.0","id":1,"method":"ping"}', 'jsonrpc'),
  rpc('an id that is an object', 400, -32600, '{"jsonrpc":"2.0","id":{},"method":"ping"}', 'id'),
  rpc('a batch of none', 400, -32600, '[]', 'batch'),
  rpc('a batch of 5,000', 400, -32600, `[${Array.from({ length: 5_000 }, () => '7').join()}]`, '5000'),
  rpc('a made-up session', 404, -32001, call('{}'), 'Session', { 'mcp-session-id': 'made-up' }),
  rpc('a version without handshake, and nothing else of it', 400, -32602, call('{}'), '_meta', { 'mcp-protocol-version': '1999-01-01' }),
  rpc('an unknown version', 400, -32600, call('{}'), 'Version', { 'mcp-protocol-version': '1999-01-01', 'mcp-session-id': 'made-up' }),
  rpc('an unknown method', 200, -32601, '{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}', 'tools/destroy'),
  rpc('an unknown tool', 200, -32602, call('{"name":"tasks_destroy"}'), 'Unknown tool: tasks_destroy'),
  rpc('arguments that are a list', 200, -32602, call('{"name":"tasks_create","arguments":[]}'), 'arguments'),
  rpc('a missing argument', 200, 'BAD_REQUEST', call('{"name":"tasks_create","arguments":{"repo":"app"}}'), 'title'),
  selfContained('another method in the header', 400, -32020, 'Mcp-Method', { 'mcp-method': 'tools/list' }),
  selfContained('another tool in the header', 400, -32020, 'Mcp-Name', { 'mcp-name': 'tasks_create' }),
  selfContained('a name in broken base64', 400, -32020, 'Mcp-Name', { 'mcp-name': '=?base64?dGFza3NfbGlzdA?=' }),
  selfContained('another version in the header', 400, -32020, 'MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }),
  selfContained('a version that is not spoken', 400, -32022, 'version', {}, 'tools/call', '2099-01-01'),
  selfContained('a method that is gone', 404, -32601, 'ping', {}, 'ping'),
  rpc('a key __proto__', 400, -32700, call('{"name":"tasks_create","arguments":{"__proto__":{}}}'), '__proto__'),
  rpc('a foreign Origin', 403, -32000, call('{"name":"tasks_list"}'), 'evil.example', { origin: 'https://evil.example' }),
]

/**
 * Each is a whole request; any following request on the connection is answered too, unless the answer says `connection: close`.
 */
export const badRequests: readonly BadRequest[] = [...bodies, ...values, ...places, ...messages]

const many = Array.from({ length: 2_000 }, (_, n) => `x-${n}: ${n}\r\n`).join('')
const chunked = raw('POST', '/api/tools/tasks_create', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })

/** Bytes that are not an HTTP request; the connection is closed after the answer. */
export const brokenHttp: readonly BadRequest[] = [
  refused('bytes that are no HTTP', 'BAD_REQUEST', '\0\x01\x02 hello\r\n\r\n'),
  refused('the greeting of TLS', 'BAD_REQUEST', '\x16\x03\x01\x02\0\x01'),
  refused('a header of 20 kB', 'HEADERS_TOO_LARGE', raw('GET', '/health', { 'x-long': 'x'.repeat(20_000) })),
  refused('two thousand headers', 'HEADERS_TOO_LARGE', `GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n${many}\r\n`),
  refused('a path of 20 kB', 'HEADERS_TOO_LARGE', raw('GET', `/${'x'.repeat(20_000)}`)),
  refused('a length and chunks at once', 'BAD_REQUEST', create(good, { 'transfer-encoding': 'chunked' })),
  refused('a length below zero', 'BAD_REQUEST', create(good, { 'content-length': '-5' })),
  refused('a chunk without a size', 'BAD_REQUEST', `${chunked}zz\r\n{}\r\n`),
  refused('a header name with a space', 'BAD_REQUEST', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nbad name: x\r\n\r\n'),
]
