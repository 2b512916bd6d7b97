import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { send } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

const PROBES = ['/health', '/health/deep', '/status']
const OPEN = [...PROBES, '/api/openapi.json', '/api/docs', '/api/docs/plain']
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

let gateway: TestGateway
let strict: TestGateway
before(async () => {
  const env = { GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_ALLOWED_ORIGINS: 'https://board.example' }
  gateway = await startTestGateway({ plugins: [transportFixture().plugin], listen: true, env: { ...env, GATEWAY_LOOPBACK_TRUST: '1' } })
  strict = await startTestGateway({ plugins: [transportFixture().plugin], listen: true, env })
})
after(async () => {
  await gateway.stop()
  await strict.stop()
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** `fetch` sets Host itself; this sends the host that the test names. */
async function ask(base: string, method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      base + path,
      { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

async function raw(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

test('a foreign Host or Origin is 403 on every page of every transport', async () => {
  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: '127.0.0.1.evil.example' },
  ]
  for (const headers of foreign) {
    for (const path of [...OPEN, '/api/tools', '/api/transport/ask?asked=1', '/nowhere']) {
      if (headers.host !== undefined && PROBES.includes(path)) continue
      const { status, text } = await ask(gateway.url, 'GET', path, headers)
      assert.deepEqual([status, JSON.parse(text).code], [403, 'FORBIDDEN'], `${path} ${JSON.stringify(headers)}`)
    }
    assert.equal((await ask(gateway.url, 'POST', '/api/tools/transport_ask', headers, { asked: 1 })).status, 403)
    const mcp = await ask(gateway.url, 'POST', '/mcp', headers, ping)
    assert.deepEqual([mcp.status, JSON.parse(mcp.text).error.data.code, JSON.parse(mcp.text).id], [403, 'FORBIDDEN', null])
    assert.equal((await ask(gateway.url, 'OPTIONS', '/mcp', headers)).status, 403)
  }
})

test('a foreign origin may not read its refusal', async () => {
  const { headers } = await ask(gateway.url, 'GET', '/status', { origin: 'https://evil.example' })
  assert.equal(headers['access-control-allow-origin'], undefined)
})

test('local names and allowed hosts are answered; under these a request from this machine is not local', async () => {
  const status = async (host: string) => (await ask(gateway.url, 'GET', '/api/tools', { host })).status
  for (const host of ['localhost', '127.0.0.1:7411', '[::1]:1']) assert.equal(await status(host), 200, host)
  for (const host of ['gateway.example', 'GATEWAY.example:443']) assert.equal(await status(host), 401, host)
})

test('probes are answered under any Host, and without one', async () => {
  for (const path of PROBES) {
    for (const host of ['10.0.0.7:7411', 'evil.example', '*', ''])
      assert.equal((await ask(strict.url, 'GET', path, { host })).status, 200, path)
    assert.match(await raw(strict.url, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1.1 200/)
  }
})

test('HTTP/1.0 is not local, and a whole URL in the request line counts for more than Host', async () => {
  const host = 'Host: 127.0.0.1'
  const first = async (line: string) => (await raw(gateway.url, `${line}\r\n${host}\r\nConnection: close\r\n\r\n`)).split('\r\n', 1)[0]
  assert.match((await first('GET /api/tools HTTP/1.1')) ?? '', /200/)
  assert.match((await first('GET /api/tools HTTP/1.0')) ?? '', /401/)
  assert.match((await first('GET http://localhost/api/tools HTTP/1.1')) ?? '', /200/)
  assert.match((await first('GET http://evil.example/api/tools HTTP/1.1')) ?? '', /403/)
  assert.match((await first('GET http://localhost@evil.example/api/tools HTTP/1.1')) ?? '', /403/)
})

test('401 says how to send a credential, and names no login that MCP clients would look for', async () => {
  const key = { 'x-api-key': 'gw_live_bad' }
  for (const [path, headers] of [
    ['/api/tools', {}],
    ['/api/tools', key],
    ['/api/tools', { authorization: 'Bearer gw_live_bad' }],
  ] as const) {
    const { status, headers: answered, text } = await ask(strict.url, 'GET', path, headers)
    assert.deepEqual([status, answered['www-authenticate']], [401, 'Bearer realm="gateway"'])
    assert.match(JSON.parse(text).error, /`x-api-key` or as `Authorization: Bearer`/)
  }
  const mcp = await ask(strict.url, 'POST', '/mcp', key, ping)
  assert.deepEqual([mcp.status, mcp.headers['www-authenticate']], [401, 'Bearer realm="gateway"'])
})

test('without a credential and without loopback trust everything but the open pages is 401', async () => {
  for (const path of OPEN) assert.equal((await send(strict.url + path)).status, 200, path)
  for (const path of ['/api/tools', '/api/transport/ask?asked=1', '/nowhere']) {
    const { status, json } = await send(strict.url + path)
    assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED'], path)
  }
  const mcp = await send(`${strict.url}/mcp`, { body: ping })
  assert.deepEqual([mcp.status, mcp.json.error.data.code], [401, 'UNAUTHORIZED'])
})

test('a forwarded request is not local', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    assert.equal((await ask(gateway.url, 'GET', '/api/tools', { [name]: '10.0.0.1' })).status, 401)
  }
})

test('a forwarding header is seen behind any number of others', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, i) => [`a${i.toString(36)}`, '']))
  assert.equal((await ask(gateway.url, 'GET', '/api/tools', { ...many, 'x-forwarded-for': '10.0.0.1' })).status, 401)
})

test('an allowed dashboard may preflight, call and read, refusals included', async () => {
  const origin = 'https://board.example'
  const preflight = await ask(gateway.url, 'OPTIONS', '/api/transport/notes/x', { origin, 'access-control-request-method': 'PATCH' })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], origin)
  assert.match(String(preflight.headers['access-control-allow-methods']), /DELETE.*PATCH/)
  assert.match(String(preflight.headers['access-control-allow-headers']), /content-type/)
  const called = await ask(gateway.url, 'GET', '/api/transport/ask?asked=1', { origin })
  assert.deepEqual([called.status, called.headers['access-control-allow-origin'], called.headers.vary], [200, origin, 'origin'])
  for (const [base, path, status] of [
    [gateway.url, '/nowhere', 404],
    [strict.url, '/api/tools', 401],
  ] as const) {
    const refused = await ask(base, 'GET', path, { origin })
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [status, origin])
  }
})

test('a preflight needs no credential, and without an origin OPTIONS says the methods alone', async () => {
  const origin = 'https://board.example'
  assert.equal((await ask(strict.url, 'OPTIONS', '/mcp', { origin, 'access-control-request-method': 'POST' })).status, 204)
  const plain = await ask(gateway.url, 'OPTIONS', '/mcp', {})
  assert.deepEqual([plain.status, plain.headers.allow], [204, 'DELETE, GET, OPTIONS, POST'])
  assert.equal(plain.headers['access-control-allow-origin'], undefined)
  assert.equal((await ask(gateway.url, 'OPTIONS', '/nowhere', {})).status, 404)
})

test('a page that names another caller than the one it calls as is refused, and nothing is done', async () => {
  const as = (caller: string) => ask(gateway.url, 'POST', '/api/tools/transport_ask', { 'x-gateway-caller': caller }, { asked: 1 })
  assert.equal((await as('local%20operator')).status, 200)
  const { status, text } = await as('acme%20operator')
  assert.deepEqual([status, JSON.parse(text).code], [412, 'CALLER_CHANGED'])
  assert.deepEqual(JSON.parse(text).details, { expected: 'acme%20operator', got: 'local%20operator' })
})
