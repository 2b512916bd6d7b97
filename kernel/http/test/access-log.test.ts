import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { heard, open, send, talk } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

const TOKEN = 'a-token-long-enough-for-the-settings'

const lines = (gateway: TestGateway) => gateway.logs.filter(({ event }) => event === 'http.request')
/** The log line of a request comes a moment after its last byte. */
async function line(gateway: TestGateway, requestId: string) {
  for (;;) {
    const found = lines(gateway).find((one) => one.requestId === requestId)
    if (found) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('with the access log on, each request is one line of method, route, status, time, tenant, caller and id', async () => {
  const env = { GATEWAY_ACCESS_LOG: '1', GATEWAY_LOG_LEVEL: 'error', GATEWAY_LOCAL_TOKEN: TOKEN, GATEWAY_LOOPBACK_TRUST: '0' }
  const transport = transportFixture()
  await using gateway = await startTestGateway({ plugins: [transport.plugin], listen: true, env })
  const ask = (path: string, requestId: string, headers: Record<string, string> = {}, body?: object) =>
    send(`${gateway.url}${path}`, { headers: { 'x-request-id': requestId, ...headers }, ...(body && { body }) })
  const known = { authorization: `Bearer ${TOKEN}` }

  await ask('/api/tools/transport_secret_tool?apiKey=sk-very-secret', 'r1', known, { password: 'hunter2hunter2' })
  await ask('/mcp', 'r2', { ...known, accept: 'application/json, text/event-stream' }, { jsonrpc: '2.0', id: 1, method: 'ping' })
  await ask('/health', 'r3')
  await ask('/api/tools', 'r4', { authorization: 'Bearer wrong-token-of-somebody' })
  await ask('/no/such/sk-very-secret', 'r5', known)
  await talk(gateway.url, 'GET /%zz/sk-very-secret HTTP/1.1\r\nhost: localhost\r\nx-request-id: r6\r\nconnection: close\r\n\r\n')

  const found = await Promise.all(['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((id) => line(gateway, id)))
  const operator = { tenantId: 'local', caller: 'operator' }
  assert.deepEqual(
    found.map(({ method, route, status, tenantId, caller }) => ({
      method,
      route,
      status,
      ...(tenantId !== undefined && { tenantId, caller }),
    })),
    [
      { method: 'POST', route: '/api/tools/:name', status: 404, ...operator },
      { method: 'POST', route: '/mcp', status: 200, ...operator },
      { method: 'GET', route: '/health', status: 200 },
      { method: 'GET', route: '/api/tools', status: 401 },
      { method: 'GET', route: null, status: 404, ...operator },
      { method: 'GET', route: null, status: 400 },
    ],
  )
  for (const { ms } of found) assert.ok(typeof ms === 'number' && ms >= 0)
  assert.equal(lines(gateway).length, 6)
  assert.doesNotMatch(JSON.stringify(gateway.logs), /very-secret|hunter2|wrong-token|a-token-long/)
})

test('a request whose client goes away is logged as cut, once', async () => {
  const transport = transportFixture()
  await using gateway = await startTestGateway({ plugins: [transport.plugin], listen: true, env: { GATEWAY_ACCESS_LOG: 'on' } })
  const socket = open(gateway.url)
  const request = 'POST /api/tools/transport_wait HTTP/1.1\r\nhost: localhost\r\nx-request-id: gone\r\ncontent-type: application/json\r\n'
  socket.write(`${request}content-length: 2\r\n\r\n{}`)
  await transport.arrived(1)
  socket.destroy()
  await heard(socket)
  assert.equal((await line(gateway, 'gone')).cut, true)
  transport.release()
  await transport.gone()
  assert.equal(lines(gateway).length, 1)
})

test('without the setting no request is logged', async () => {
  await using gateway = await startTestGateway({ plugins: [transportFixture().plugin], env: { GATEWAY_LOG_LEVEL: 'trace' } })
  assert.equal((await gateway.inject({ method: 'GET', url: '/health' })).status, 200)
  assert.deepEqual(lines(gateway), [])
})
