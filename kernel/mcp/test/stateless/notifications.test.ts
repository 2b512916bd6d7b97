import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { ask, body, call, headersOf, open, TASKS } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

const era = statelessFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [era.plugin], listen: true })
})
after(() => gateway.stop())

const level = (logLevel: string) => ({ 'io.modelcontextprotocol/logLevel': logLevel })
const log = (level: string, data: unknown, logger?: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, ...(logger !== undefined && { logger }), data },
})
const odd = log('warning', { what: 'odd' }, 'teller')
/** The protocol requires data in every message. */
const nothing = log('critical', null)
const fire = log('emergency', ['fire'])

test('a request without a log level hears nothing and is answered as JSON', async () => {
  const { headers, events, json } = await call(gateway, 'era_tell')
  assert.deepEqual(
    [headers.get('content-type'), events, json.result.structuredContent],
    ['application/json; charset=utf-8', [], { text: 'told' }],
  )
})

test('messages at or above the level of the request come on its stream, before its answer', async () => {
  for (const [least, heard] of [
    ['debug', [log('debug', 'small'), odd, nothing, fire]],
    ['info', [odd, nothing, fire]],
    ['warning', [odd, nothing, fire]],
    ['emergency', [fire]],
  ] as const) {
    const { status, headers, events, text } = await call(gateway, 'era_tell', {}, { meta: level(least), id: least })
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream'])
    assert.deepEqual(headers.get('x-accel-buffering'), 'no')
    assert.deepEqual(events.slice(0, -1), heard, least)
    assert.deepEqual([events.at(-1).id, events.at(-1).result.resultType], [least, 'complete'])
    assert.doesNotMatch(text, /^(id|retry):/m, 'streams of this era cannot be taken up again')
  }
})

test('progress comes with its token, each step further than the last', async () => {
  for (const progressToken of ['p-1', 0]) {
    const { events } = await call(gateway, 'era_tell', {}, { meta: { progressToken } })
    assert.deepEqual(
      events.slice(0, -1).map(({ method, params }) => [method, params]),
      [
        ['notifications/progress', { progressToken, progress: 1, total: 3, message: 'one' }],
        ['notifications/progress', { progressToken, progress: 3, total: 3 }],
      ],
    )
  }
})

test('the stream opens with the first notification: without one the answer is plain JSON, also an error', async () => {
  const told = { meta: { progressToken: 1, ...level('debug') } }
  assert.deepEqual((await call(gateway, 'era_echo', {}, told)).events, [])
  const lacking = await call(gateway, 'era_greet', {}, told)
  assert.deepEqual([lacking.status, lacking.json.error.code], [400, -32021])
})

test('a client that takes no event streams, or does not name them, is answered as JSON', async () => {
  for (const accept of ['application/json', '*/*']) {
    const { events, json } = await call(gateway, 'era_tell', {}, { meta: level('debug'), headers: { accept } })
    assert.deepEqual([events, json.result.structuredContent], [[], { text: 'told' }], accept)
  }
})

test('a client that hangs up cancels its call, with a stream and without', async () => {
  const streaming = await open(gateway, {
    method: 'tools/call',
    params: { name: 'era_wait', arguments: { tell: true } },
    meta: { progressToken: 1 },
  })
  assert.equal((await streaming.next()).method, 'notifications/progress')
  await era.arrived(1)
  streaming.disconnect()
  await era.gone()
  // Declaring tasks alone does not change that.
  for (const capabilities of [{}, { extensions: { [TASKS]: {} } }]) {
    const away = new AbortController()
    const asked = { method: 'tools/call', params: { name: 'era_wait' }, capabilities }
    const init = { method: 'POST', headers: headersOf(asked), body: JSON.stringify(body(asked)), signal: away.signal }
    const refused = assert.rejects(fetch(`${gateway.url}/mcp`, init))
    await era.arrived(1)
    away.abort()
    await era.gone()
    await refused
  }
})

test('callers with the same ids at once get their own answers', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => call(gateway, 'era_echo', { id: `caller ${i}` })))
  assert.deepEqual(
    answers.map(({ json }) => json.result.structuredContent.args.id),
    answers.map((_, i) => `caller ${i}`),
  )
  assert.equal((await ask(gateway, { method: 'tools/list' })).status, 200)
})
