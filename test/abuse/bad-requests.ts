import { raw } from './wire.ts'

/** A request that must be refused. */
export interface BadRequest {
  readonly says: string
  readonly bytes: string
  readonly status: number
  /** `code` of the error record; for JSON-RPC, the number in `error`. */
  readonly code: string | number
  /** What the sentence must name. */
  readonly names?: string
}

const create = (body: string, headers: Readonly<Record<string, string>> = {}): string => raw('POST', '/api/tools/tasks_create', headers, body)
const good = JSON.stringify({ repo: 'app', title: 'a task' })
const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`

const bodies: readonly BadRequest[] = [
  { says: 'half a JSON body', bytes: create('{"repo":"app","title":'), status: 400, code: 'BAD_REQUEST', names: 'JSON' },
  { says: 'text for JSON', bytes: create('repo=app&title=x'), status: 400, code: 'BAD_REQUEST', names: 'JSON' },
  { says: 'two JSON values', bytes: create(`${good}${good}`), status: 400, code: 'BAD_REQUEST', names: 'JSON' },
  { says: 'a body that is null', bytes: create('null'), status: 400, code: 'BAD_REQUEST', names: 'null' },
  { says: 'a body that is an array', bytes: create(`[${good}]`), status: 400, code: 'BAD_REQUEST', names: 'array' },
  { says: 'a body that is a string', bytes: create('"create"'), status: 400, code: 'BAD_REQUEST', names: 'string' },
  { says: 'a body nested 5,000 deep', bytes: create(deep), status: 400, code: 'BAD_REQUEST', names: 'nested' },
  { says: 'bytes that are not UTF-8', bytes: create(`{"repo":"app","title":"\u00ff"}`), status: 400, code: 'BAD_REQUEST', names: 'UTF-8' },
  { says: 'an own key __proto__', bytes: create('{"repo":"app","title":"x","__proto__":{"role":"owner"}}'), status: 400, code: 'BAD_REQUEST', names: '__proto__' },
  { says: 'an escaped key __proto__', bytes: create('{"repo":"app","title":"x","\\u005f_proto__":{"a":1}}'), status: 400, code: 'BAD_REQUEST', names: '__proto__' },
  { says: 'a key constructor.prototype', bytes: create('{"repo":"app","title":"x","constructor":{"prototype":{"a":1}}}'), status: 400, code: 'BAD_REQUEST', names: 'constructor' },
  { says: 'a body that says it is XML', bytes: create('<task/>', { 'content-type': 'application/xml' }), status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  { says: 'a body larger than the limit', bytes: create(JSON.stringify({ repo: 'app', title: 'x', notes: 'x'.repeat(1_100_000) })), status: 413, code: 'PAYLOAD_TOO_LARGE' },
]

const values: readonly BadRequest[] = [
  { says: 'a missing argument', bytes: create('{"repo":"app"}'), status: 400, code: 'BAD_REQUEST', names: 'title' },
  { says: 'no arguments at all', bytes: raw('POST', '/api/tools/tasks_create', { 'content-length': '0' }), status: 400, code: 'BAD_REQUEST' },
  { says: 'a number for a string', bytes: create('{"repo":"app","title":7}'), status: 400, code: 'BAD_REQUEST', names: 'title' },
  { says: 'an object for a string', bytes: create('{"repo":"app","title":{"$gt":""}}'), status: 400, code: 'BAD_REQUEST', names: 'title' },
  { says: 'a string for a list', bytes: create('{"repo":"app","title":"x","dependsOn":"task-1"}'), status: 400, code: 'BAD_REQUEST', names: 'dependsOn' },
  { says: 'a value outside its list', bytes: create('{"repo":"app","title":"x","priority":"P9"}'), status: 400, code: 'BAD_REQUEST', names: 'priority' },
  { says: 'an argument nobody knows', bytes: create('{"repo":"app","title":"x","colour":"red"}'), status: 400, code: 'BAD_REQUEST', names: 'colour' },
  { says: 'a limit that is no number', bytes: raw('POST', '/api/tools/tasks_list', {}, '{"limit":"many"}'), status: 400, code: 'BAD_REQUEST', names: 'limit' },
  { says: 'a made-up cursor', bytes: raw('POST', '/api/tools/tasks_list', {}, '{"cursor":"AAAA"}'), status: 400, code: 'BAD_REQUEST', names: 'cursor' },
  { says: 'a task that depends on none', bytes: create('{"repo":"app","title":"x","dependsOn":["task-none"]}'), status: 400, code: 'BAD_REQUEST', names: 'task-none' },
  { says: 'an update of a task that is not there', bytes: raw('POST', '/api/tools/tasks_update', {}, '{"taskId":"task-none","status":"done"}'), status: 404, code: 'NOT_FOUND', names: 'task-none' },
]

const places: readonly BadRequest[] = [
  { says: 'an unknown tool', bytes: raw('POST', '/api/tools/tasks_destroy', {}, '{}'), status: 404, code: 'UNKNOWN_TOOL', names: 'tasks_destroy' },
  { says: 'a tool named like a member of Object', bytes: raw('POST', '/api/tools/__proto__', {}, '{}'), status: 404, code: 'UNKNOWN_TOOL', names: '__proto__' },
  { says: 'an unknown path', bytes: raw('GET', '/api/nowhere'), status: 404, code: 'NOT_FOUND', names: '/api/nowhere' },
  { says: 'a path that climbs', bytes: raw('GET', '/api/../../etc/passwd'), status: 404, code: 'NOT_FOUND' },
  { says: 'a path of broken escapes', bytes: raw('GET', '/api/tools/%E0%A4%A'), status: 400, code: 'BAD_REQUEST' },
  { says: 'another method than the path has', bytes: raw('DELETE', '/api/tools/tasks_create'), status: 405, code: 'METHOD_NOT_ALLOWED', names: 'DELETE' },
  { says: 'a foreign Host', bytes: create(good, { host: 'evil.example' }), status: 403, code: 'FORBIDDEN', names: 'evil.example' },
  { says: 'a Host that only begins like ours', bytes: create(good, { host: '127.0.0.1.evil.example' }), status: 403, code: 'FORBIDDEN' },
  { says: 'a foreign Origin', bytes: create(good, { origin: 'https://evil.example' }), status: 403, code: 'FORBIDDEN', names: 'evil.example' },
  { says: 'the Origin of a sandboxed page', bytes: create(good, { origin: 'null' }), status: 403, code: 'FORBIDDEN' },
  { says: 'a foreign Host on a probe', bytes: raw('GET', '/health', { host: 'evil.example' }), status: 403, code: 'FORBIDDEN' },
  { says: 'a request that was forwarded', bytes: create(good, { 'x-forwarded-for': '203.0.113.9' }), status: 401, code: 'UNAUTHORIZED' },
]

/** Each leaves its connection usable. */
export const badRequests: readonly BadRequest[] = [...bodies, ...values, ...places]

const many = Array.from({ length: 2_000 }, (_, n) => `x-${n}: ${n}`).join('\r\n')

/** What is not even a request; the connection is closed after the answer. */
export const brokenHttp: readonly BadRequest[] = [
  { says: 'bytes that are no HTTP', bytes: '\u0000\u0001\u0002 hello\r\n\r\n', status: 400, code: 'BAD_REQUEST' },
  { says: 'the greeting of TLS', bytes: '\u0016\u0003\u0001\u0002\u0000\u0001', status: 400, code: 'BAD_REQUEST' },
  { says: 'a header of 20 kB', bytes: raw('GET', '/health', { 'x-long': 'x'.repeat(20_000) }), status: 431, code: 'HEADERS_TOO_LARGE' },
  { says: 'two thousand headers', bytes: `GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n${many}\r\n\r\n`, status: 431, code: 'HEADERS_TOO_LARGE' },
  { says: 'a length and chunks at once', bytes: create(good, { 'transfer-encoding': 'chunked' }), status: 400, code: 'BAD_REQUEST' },
  { says: 'a length that is no number', bytes: create(good, { 'content-length': '-5' }), status: 400, code: 'BAD_REQUEST' },
  { says: 'a chunk whose size is no number', bytes: `${raw('POST', '/api/tools/tasks_create', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })}zz\r\n{}\r\n`, status: 400, code: 'BAD_REQUEST' },
  { says: 'a header name with a space', bytes: 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nbad name: x\r\n\r\n', status: 400, code: 'BAD_REQUEST' },
  { says: 'a request without Host', bytes: 'GET /health HTTP/1.1\r\n\r\n', status: 400, code: 'BAD_REQUEST' },
]
