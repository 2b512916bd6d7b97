import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import fc from 'fast-check'
import { transportFixture } from '../../http/test/transport-plugin.ts'
import { openSession, post, request } from './rpc.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transportFixture().plugin], listen: true })
})
after(() => gateway.stop())

test('plain curl works: one POST, no session, no Accept, no version', async () => {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify(request('tools/call', { name: 'transport_ask', arguments: { asked: 1 } })),
  })
  const { result } = (await response.json()) as { result: { structuredContent: unknown } }
  assert.deepEqual([response.status, result.structuredContent], [200, { given: 1, level: 'low' }])
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
})

test('a client that accepts neither JSON nor event streams is 406', async () => {
  const { status, json } = await post(gateway, request('ping', undefined, 'mine'), { accept: 'text/html' })
  assert.deepEqual([status, json.id, json.error.data.code], [406, 'mine', 'NOT_ACCEPTABLE'])
  for (const accept of ['application/json', 'text/event-stream', 'application/*', 'text/html, */*;q=0.1']) {
    assert.equal((await post(gateway, request('ping'), { accept })).status, 200, accept)
  }
})

test('malformed JSON is -32700 with 400', async () => {
  for (const body of ['', '{', 'nonsense', '{"jsonrpc":"2.0",}']) {
    const { status, json } = await post(gateway, body)
    assert.deepEqual([status, json.id], [400, null])
    assert.equal(json.error.code, body === '' ? -32600 : -32700)
  }
})

test('a wrong envelope is -32600 with 400, under its id where that can be read', async () => {
  const cases: [unknown, unknown][] = [
    [7, null],
    ['x', null],
    [null, null],
    [{}, null],
    [{ jsonrpc: '1.0', id: 3, method: 'ping' }, 3],
    [{ id: 3, method: 'ping' }, 3],
    [{ jsonrpc: '2.0', id: 3, method: 7 }, 3],
    [{ jsonrpc: '2.0', id: 3 }, 3],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    [{ jsonrpc: '2.0', method: 'notifications/initialized', params: [] }, null],
  ]
  for (const [body, id] of cases) {
    const { status, json } = await post(gateway, JSON.stringify(body))
    assert.deepEqual([status, json.error.code, json.id], [400, -32600, id], JSON.stringify(body))
  }
  const huge = await post(gateway, '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}')
  assert.deepEqual([huge.status, huge.json.id], [400, null])
})

test('an unknown method is -32601, and bad params are -32602', async () => {
  const cases: [object, number][] = [
    [request('no/such'), -32601],
    [request('toString'), -32601],
    [request('completion/complete'), -32602],
    [request('logging/setLevel', { level: 'info' }), -32600],
    [request('tools/call'), -32602],
    [request('tools/call', { name: 7 }), -32602],
    [request('tools/call', { name: 'transport_ask', arguments: [1] }), -32602],
    [request('tools/call', { name: 'transport_ask', arguments: 'x' }), -32602],
    [request('tools/list', { cursor: 'foreign' }), -32602],
    [request('resources/list', { cursor: 'foreign' }), -32602],
    [request('prompts/list', { cursor: 'foreign' }), -32602],
    [request('resources/read', {}), -32602],
    [request('prompts/get', { name: 'transport_review', arguments: { thing: 7 } }), -32602],
  ]
  for (const [body, code] of cases) {
    const { status, json } = await post(gateway, body)
    assert.deepEqual([status, json.id, json.error.code], [200, 1, code], JSON.stringify(body))
  }
  const byPosition = await post(gateway, request('ping', [1]))
  assert.deepEqual([byPosition.status, byPosition.json.id, byPosition.json.error.code], [200, 1, -32602])
})

test('parameters and their optional members may be null in every method', async () => {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']
  for (const method of lists) {
    const whole = (await post(gateway, request(method))).json.result
    assert.ok(whole, method)
    for (const params of [null, { cursor: null }, { cursor: '' }, { _meta: null }])
      assert.deepEqual((await post(gateway, request(method, params))).json.result, whole, `${method} ${JSON.stringify(params)}`)
  }
  assert.deepEqual((await post(gateway, request('ping', null))).json.result, {})
  const completion = { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' }, context: null }
  assert.match((await post(gateway, request('completion/complete', completion))).json.error.message, /Unknown prompt/)
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized', params: null }
  assert.equal((await post(gateway, notice)).status, 202)
})

test('arguments may be left out, or null', async () => {
  for (const params of [{ name: 'transport_operate' }, { name: 'transport_operate', arguments: null }]) {
    assert.deepEqual((await post(gateway, request('tools/call', params))).json.result.structuredContent, { ok: true })
  }
})

test('ids come back as they were: text stays text, a number a number', async () => {
  for (const id of [0, -1, 7, '7', '', '"', 'é\u2028', 'x'.repeat(500)])
    assert.equal((await post(gateway, request('ping', undefined, id))).json.id, id)
})

test('notifications and responses are 202 without a body, whatever they say', async () => {
  const silent = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'no/such' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ]
  for (const body of silent) {
    const { status, text } = await post(gateway, body)
    assert.deepEqual([status, text], [202, ''], JSON.stringify(body))
  }
})

test('any envelope at all gets an answer that is no server error, and harms nothing', async () => {
  const key = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', 'x')
  const method = fc.constantFrom(
    'initialize',
    'tools/list',
    'tools/call',
    'ping',
    'resources/read',
    'prompts/get',
    'notifications/cancelled',
    'x',
  )
  const params = fc.oneof(
    fc.record(
      {
        name: fc.oneof(
          fc.constantFrom('transport_echo', 'transport_ask', 'transport_broken', 'transport.report'),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        arguments: fc.jsonValue({ maxDepth: 3 }),
        protocolVersion: fc.jsonValue({ maxDepth: 1 }),
        uri: fc.jsonValue({ maxDepth: 1 }),
        cursor: fc.jsonValue({ maxDepth: 1 }),
        requestId: fc.jsonValue({ maxDepth: 1 }),
        _meta: fc.oneof(fc.record({ progressToken: fc.jsonValue({ maxDepth: 1 }) }), fc.jsonValue({ maxDepth: 2 })),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const likely = fc.record(
    { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })), method, params },
    { requiredKeys: [] },
  )
  const message = fc.oneof(likely, likely, fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), fc.jsonValue({ maxDepth: 2 }))
  const body = fc.oneof(
    message.map((one) => JSON.stringify(one)),
    fc.array(message, { maxLength: 5 }).map((many) => JSON.stringify(many)),
    fc.string(),
  )
  const session = await openSession(gateway)
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (text, withSession) => {
      const { status, json } = await post(gateway, text, withSession ? session : {})
      assert.ok([200, 202, 400].includes(status), `${status} for ${text}`)
      if (status === 202) return
      for (const answer of [json].flat()) {
        assert.equal(answer.jsonrpc, '2.0')
        assert.ok('result' in answer !== 'error' in answer)
        assert.notEqual(answer.error?.code, -32603, text)
      }
    }),
    { numRuns: 500 },
  )
  assert.equal(
    (await post(gateway, request('tools/call', { name: 'transport_ask', arguments: { asked: 1 } }), session)).json.result.structuredContent
      .given,
    1,
  )
})
