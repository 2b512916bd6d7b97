import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { assertRecord, heard, open, said, send, talk } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

const LIMIT = 4_096
const MAX_VALUES = 1_000
let gateway: TestGateway
/** A gateway that waits at most a second for a request, only for the tests of that. */
let impatient: TestGateway
const start = (env: Record<string, string>) => startTestGateway({ plugins: [transportFixture().plugin], listen: true, env })
before(async () => {
  gateway = await start({ GATEWAY_BODY_LIMIT_BYTES: String(LIMIT), GATEWAY_BODY_LIMIT_VALUES: String(MAX_VALUES) })
  impatient = await start({ GATEWAY_REQUEST_TIMEOUT_MS: '1000' })
})
after(() => Promise.all([gateway.stop(), impatient.stop()]))

const tool = (init: Parameters<typeof send>[1], { url } = gateway) => send(`${url}/api/tools/transport_echo`, { method: 'POST', ...init })

async function stillServes(one = gateway): Promise<void> {
  const { status, json } = await tool({ body: { id: 'still' } }, one)
  assert.deepEqual([status, json.args.id], [200, 'still'])
}

function recordIn(answer: string): { status: number; code: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /content-type: application\/json/i, answer)
  const record = JSON.parse(body) as { code: string; error: string }
  assert.equal(typeof record.error, 'string')
  return { status: Number(head.split(' ')[1]), code: record.code }
}

test('malformed JSON is refused with the position', async () => {
  const read = await tool({ body: '{"id": }' })
  assertRecord(read, 400, 'BAD_REQUEST')
  assert.match(read.json.error, /position 7/)
  await stillServes()
})

test('a body of the wrong type, or of no type at all, is refused', async () => {
  for (const [contentType, body] of [
    ['text/plain', 'x'],
    ['application/x-www-form-urlencoded', 'id=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', '{}'],
  ] as const) {
    assertRecord(await tool({ body, headers: { 'content-type': contentType } }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const bare = await talk(
    gateway.url,
    'POST /api/tools/transport_echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
  )
  assert.deepEqual(recordIn(bare), { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  assert.equal((await tool({ body: '{"id":"x"}', headers: { 'content-type': 'application/json; charset=utf-8' } })).status, 200)
})

test('a body with more names and values than may be is refused on either transport before it is parsed', async () => {
  const many = `[${'0,'.repeat(MAX_VALUES)}0]`
  const says = `The request body has more than ${MAX_VALUES} names and values; send it in parts.`
  const read = await tool({ body: `{"id":"x","numbers":${many}}` })
  assertRecord(read, 400, 'BAD_REQUEST')
  assert.equal(read.json.error, says)
  const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"transport_echo","arguments":{"id":"x","numbers":${many}}}}`
  const { status, json } = await send(`${gateway.url}/mcp`, { method: 'POST', body })
  assert.deepEqual([status, json.error.code, json.error.message], [400, -32700, says])
  await stillServes()
})

test('a body that is no object, and keys that reach a prototype, are refused', async () => {
  for (const body of ['[]', '"x"', '1', 'null', '{"__proto__":{"id":"x"}}', '{"id":"x","constructor":{"prototype":{}}}']) {
    assertRecord(await tool({ body }), 400, 'BAD_REQUEST')
  }
  await stillServes()
})

test('an oversized body is refused with the limit, whether its length is announced or not', async () => {
  const big = JSON.stringify({ id: 'x'.repeat(LIMIT) })
  const read = await tool({ body: big })
  assertRecord(read, 413, 'PAYLOAD_TOO_LARGE')
  assert.deepEqual(read.json.details, { limitBytes: LIMIT })
  const head =
    'POST /api/tools/transport_echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunked = open(gateway.url)
  chunked.write(`${head}${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`)
  assert.deepEqual(recordIn(await said(chunked)), { status: 413, code: 'PAYLOAD_TOO_LARGE' })
  chunked.destroy()
  const exact = JSON.stringify({ id: 'x'.repeat(LIMIT - 9) })
  assert.deepEqual([exact.length, (await tool({ body: exact })).status], [LIMIT, 200])
})

test('who is still sending an oversized body hears why it is refused, on either transport, and can go on', async () => {
  const length = 50_000_000
  for (const path of ['/api/tools/transport_echo', '/mcp']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    const socket = open(gateway.url)
    socket.write(`${head}Content-Length: ${length}\r\n\r\n`)
    assert.match(await said(socket), /^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s)
    // A closed connection would be reset at once.
    for (let sent = 0; sent < length; sent += 1_000_000) await new Promise((written) => socket.write('x'.repeat(1_000_000), written))
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.match(await said(socket), /^HTTP\/1\.1 200 /)
    socket.destroy()
  }
})

test('a shorter body than announced is refused when its time is over', async () => {
  const answer = await talk(
    impatient.url,
    'POST /api/tools/transport_echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"id"',
  )
  assert.deepEqual(recordIn(answer), { status: 408, code: 'REQUEST_TIMEOUT' })
  await stillServes(impatient)
})

test('half a header, and a socket that says nothing, are hung up in time', async () => {
  const answers = await Promise.all([talk(impatient.url, 'GET /health HTTP/1.1\r\nHost: loc'), heard(open(impatient.url))])
  for (const answer of answers) assert.deepEqual(recordIn(answer), { status: 408, code: 'REQUEST_TIMEOUT' })
  await stillServes(impatient)
})

test('oversized headers are 431', async () => {
  const answer = await talk(gateway.url, `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  assert.deepEqual(recordIn(answer), { status: 431, code: 'HEADERS_TOO_LARGE' })
})

test('bytes that are not HTTP are refused with a record', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
    'GET /health HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
  ]) {
    assert.deepEqual(recordIn(await talk(gateway.url, bytes)), { status: 400, code: 'BAD_REQUEST' }, bytes)
  }
  await stillServes()
})

test('garbage behind a good request costs the connection and nothing else', async () => {
  const answer = await talk(gateway.url, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense nonsense\r\n\r\n')
  assert.ok(answer === '' || answer.startsWith('HTTP/1.1 200') || answer.startsWith('HTTP/1.1 400'), answer)
  await stillServes()
})

test('pipelined requests are answered in order', async () => {
  const one = (id: string): string => `GET /api/transport/echo/${id} HTTP/1.1\r\nHost: localhost\r\n`
  const answer = await talk(gateway.url, `${one('first')}\r\n${one('second')}Connection: close\r\n\r\n`)
  assert.match(answer, /first[^]*second/)
})

test('a request without Host is refused by the Host rule', async () => {
  const answer = await talk(gateway.url, 'GET /api/tools HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.deepEqual(recordIn(answer), { status: 403, code: 'FORBIDDEN' })
})

test('unknown paths are 404, known ones with another method 405 with Allow', async () => {
  for (const path of ['/', '/api', '/api/nowhere', '/api/tools/a/b', '/mcp/x', '/HEALTH', '/api/transport/notes/a/b']) {
    assertRecord(await send(gateway.url + path), 404, 'NOT_FOUND')
  }
  for (const [method, path, allow] of [
    ['GET', '/api/transport/notes', 'OPTIONS, POST'],
    ['PUT', '/api/transport/notes/x', 'DELETE, OPTIONS, PATCH'],
    ['PUT', '/mcp', 'DELETE, GET, OPTIONS, POST'],
    ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const read = await send(gateway.url + path, { method })
    assertRecord(read, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(read.headers.get('allow'), allow)
  }
})

test('a path that cannot be decoded is refused', async () => {
  for (const path of ['/api/transport/echo/%zz', '/api/transport/echo/%ff', '/mcp/t/%zz']) {
    const refusal = await send(gateway.url + path)
    assertRecord(refusal, 400, 'BAD_REQUEST')
    assert.deepEqual([refusal.json.details.field, refusal.json.error], ['path', `path must be UTF-8, percent-encoded; got "${path}".`])
  }
  assertRecord(await send(`${gateway.url}/api/tools/${'x'.repeat(2_000)}`, { body: {} }), 404, 'UNKNOWN_TOOL')
})

test('the MCP endpoint refuses bad HTTP as JSON-RPC errors that carry the record', async () => {
  const mcp = (body: string, contentType = 'application/json') =>
    send(`${gateway.url}/mcp`, { body, headers: { 'content-type': contentType } })
  const cases = [
    [await mcp('{"jsonrpc": '), 400, -32700, 'BAD_REQUEST'],
    [await mcp('{"__proto__":{}}'), 400, -32700, 'BAD_REQUEST'],
    [await mcp('{}', 'text/plain'), 415, -32000, 'UNSUPPORTED_MEDIA_TYPE'],
    [await mcp(JSON.stringify('x'.repeat(LIMIT))), 413, -32000, 'PAYLOAD_TOO_LARGE'],
  ] as const
  for (const [{ status, json }, ...expected] of cases) {
    assert.deepEqual([status, json.error.code, json.error.data.code], expected)
    assert.deepEqual([json.jsonrpc, json.id], ['2.0', null])
  }
  await stillServes()
})

test('after five thousand bad requests it serves as before, and has kept nothing of them', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const bad = [
    ['POST', '/api/tools/transport_echo', '{"id": '],
    ['POST', '/api/tools/transport_echo', '{"__proto__":1}'],
    ['POST', '/api/tools/transport_echo', '{}'],
    ['GET', '/nowhere', ''],
    ['PUT', '/health', '{}'],
    ['POST', '/mcp', '['],
    ['POST', '/mcp', '{"jsonrpc":"2.0","id":"x","method":"nothing/such"}'],
    ['POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}'],
  ] as const
  const flood = async (count: number): Promise<void> => {
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        const [method, path, body] = bad[next++ % bad.length] as (typeof bad)[number]
        assert.ok((await statusOf(agent, gateway.url + path, method, body)) < 500)
      }
    }
    await Promise.all(Array.from({ length: 20 }, worker))
  }
  await flood(500)
  const before = gateway.logs.length
  await flood(5_000)
  agent.destroy()
  assert.equal(gateway.logs.length, before)
  await stillServes()
})

/** The fastest client available: the test is about the server. */
async function statusOf(agent: Agent, url: string, method: string, body: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent, method, headers: { 'content-type': 'application/json' } }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    )
    request.on('error', reject).end(body)
  })
}
