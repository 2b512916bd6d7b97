import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import traces from '../src/index.ts'

const start = (config: object = {}) => startTestGateway({ plugins: [traces], config: { traces: { ...config } } })
const record = (gateway: TestGateway, args: object = {}, options?: object) =>
  gateway.call('traces_record', { taskId: 'task-1', name: 'build', ...args }, options)
const spans = async (gateway: TestGateway, args: object = {}) => (await gateway.call('traces_list', { taskId: 'task-1', ...args })).spans
const names = async (gateway: TestGateway, args: object = {}) => (await spans(gateway, args)).map(({ name }: { name: string }) => name)
const recent = async (gateway: TestGateway, args: object = {}) =>
  (await gateway.call('traces_list', args)).traces.map(({ taskId }: { taskId: string }) => taskId)

test('a span is kept with what is known of it; its status is ok unless it says error', async () => {
  await using gateway = await start()
  const { recorded, span } = await record(gateway, {
    service: 'runner',
    startMs: 1_000,
    endMs: 1_250.5,
    parentName: 'run',
    attributes: { n: 1 },
  })
  assert.equal(recorded, true)
  const { spanId, ...rest } = span
  assert.match(spanId, /^span-/)
  const recordedAt = new Date(gateway.clock.now()).toISOString()
  const known = { taskId: 'task-1', name: 'build', service: 'runner', startMs: 1_000, endMs: 1_250.5, durationMs: 250.5 }
  assert.deepEqual(rest, { ...known, status: 'ok', parentName: 'run', attributes: { n: 1 }, recordedAt })
  const failed = (await record(gateway, { status: 'error', error: 'it broke' })).span
  assert.deepEqual([failed.status, failed.error], ['error', 'it broke'])
})

test('a time that no calendar has is left out of a span, and so is an end before the start', async () => {
  await using gateway = await start()
  const times = async (args: object) => {
    const { recorded, span } = await record(gateway, args)
    return [recorded, span.startMs, span.endMs, span.durationMs]
  }
  assert.deepEqual(await times({ startMs: 1e300, endMs: 5 }), [true, undefined, 5, undefined])
  assert.deepEqual(await times({ startMs: 5, endMs: -1e300 }), [true, 5, undefined, undefined])
  assert.deepEqual(await times({ startMs: 5, endMs: 3 }), [true, 5, undefined, undefined])
  assert.deepEqual(await times({ startMs: 5, endMs: 5 }), [true, 5, 5, 0])
})

test('however long the ids of tasks are, their traces are listed and read', async () => {
  await using gateway = await start()
  const ids = Array.from({ length: 5 }, (_, n) => String(n) + 'x'.repeat(900_000))
  for (const taskId of ids) assert.equal((await record(gateway, { taskId })).recorded, true)
  assert.deepEqual(
    (await recent(gateway)).map((id: string) => id.length <= 500),
    Array(5).fill(true),
  )
  assert.equal((await spans(gateway, { taskId: ids[0] })).length, 1)
})

test('a list of traces ends where it would be too large, and says so', async () => {
  await using gateway = await start()
  for (let n = 0; n < 750; n++) await record(gateway, { taskId: String(n).padEnd(500, '\u8a9e') })
  const { truncated, traces: all } = await gateway.call('traces_list', { limit: 1_000 })
  assert.deepEqual([truncated, all.length > 500 && all.length < 750], [true, true])
})

test('no secret is stored', async () => {
  await using gateway = await start()
  const secret = 'ghp_0123456789abcdefghij0123456789abcdef'
  await record(gateway, {
    name: `clone ${secret}`,
    parentName: secret,
    error: `remote: ${secret}`,
    attributes: { a: [{ url: secret }], token: 'abc' },
  })
  const kept = JSON.stringify(await gateway.documents())
  assert.ok(!kept.includes(secret) && !kept.includes('abc"'))
})

test('services and states are those of the list', async () => {
  await using gateway = await start()
  for (const args of [{ service: 'robot' }, { status: 'failed' }, { startMs: 'now' }, { extra: 1 }])
    await assert.rejects(record(gateway, args), { code: 'BAD_REQUEST' })
})

test('what cannot be kept does not fail the caller, who learns it from the answer', async () => {
  await using gateway = await start({ maxTextCharacters: 10, maxAttributesCharacters: 64 })
  const { span } = await record(gateway, { name: 'x'.repeat(50_000), attributes: { text: 'y '.repeat(500) } })
  assert.deepEqual([span.name.length, span.attributes], [10, { truncated: true, characters: 1_011 }])
  const { recorded, reason } = await record(gateway, { taskId: '' })
  assert.equal(recorded, false)
  assert.match(reason, /taskId/)
  assert.equal((await gateway.documents())['traces.spans']?.length, 1)
  assert.ok(gateway.logs.some((line) => JSON.stringify(line).includes('a span was not recorded')))
})

test('a span with halves of surrogate pairs or NUL in its texts is recorded, and found by its taskId', async () => {
  await using gateway = await start()
  const attributes = { 'k\ud83d': ['\udc00', { deep: 'x\0' }], firstTokenMs: 812 }
  const body = { taskId: 'task\0\ud800', name: 'n\ud83d', parentName: '\udfff', error: 'e\ud83d', attributes }
  const answer = await gateway.inject({ method: 'POST', url: '/api/traces', body })
  assert.equal(answer.status, 200, answer.body)
  const { recorded, span } = answer.json()
  assert.equal(recorded, true)
  assert.deepEqual([span.taskId, span.name, span.parentName, span.error], ['task\ufffd\ufffd', 'n\ufffd', '\ufffd', 'e\ufffd'])
  assert.deepEqual(span.attributes, { 'k\ufffd': ['\ufffd', { deep: 'x\ufffd' }], firstTokenMs: 812 })
  assert.deepEqual(await spans(gateway, { taskId: 'task\0\ud800' }), [span])
})

test('with a taskId the spans of that trace come in the order they began, 100 unless asked otherwise', async () => {
  await using gateway = await start()
  for (const [name, startMs] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
  ] as const)
    await record(gateway, { name, startMs })
  await record(gateway, { taskId: 'task-2', name: 'theirs' })
  assert.deepEqual(await names(gateway), ['a', 'b', 'c'])
  assert.deepEqual(await names(gateway, { limit: 2 }), ['a', 'b'])
  assert.deepEqual(await names(gateway, { taskId: 'none' }), [])
  await Promise.all(Array.from({ length: 110 }, () => record(gateway)))
  assert.equal((await spans(gateway)).length, 100)
  assert.equal((await spans(gateway, { limit: 5_000 })).length, 113)
  await assert.rejects(spans(gateway, { limit: 0 }), { code: 'BAD_REQUEST' })
})

test('without one the traces written to last come first, each once', async () => {
  await using gateway = await start()
  for (const taskId of ['a', 'b', 'c', 'a']) {
    await record(gateway, { taskId })
    gateway.clock.advance(1)
  }
  assert.deepEqual(await recent(gateway), ['a', 'c', 'b'])
  assert.deepEqual(await recent(gateway, { limit: 1 }), ['a'])
  assert.deepEqual((await gateway.call('traces_list', {}, { as: { tenantId: 'other' } })).traces, [])
})

test('the oldest spans go beyond the number kept, and a trace with its last span', async () => {
  await using gateway = await start({ maxSpans: 3 })
  for (const taskId of ['a', 'b', 'a', 'c']) {
    await record(gateway, { taskId })
    gateway.clock.advance(1)
  }
  assert.deepEqual([await recent(gateway), (await spans(gateway, { taskId: 'a' })).length], [['c', 'a', 'b'], 1])
  await record(gateway, { taskId: 'c' })
  assert.deepEqual(await recent(gateway), ['c', 'a'])
  assert.equal((await gateway.documents())['traces.spans']?.length, 3)
})

test('a trace is listed for as long as it has a span, whatever the clock does', async () => {
  await using gateway = await start({ maxSpans: 3 })
  for (const taskId of ['a', 'b', 'c']) {
    await record(gateway, { taskId })
    gateway.clock.advance(-60)
  }
  assert.deepEqual(await recent(gateway), ['a', 'b', 'c'])
  for (const taskId of ['d', 'e']) await record(gateway, { taskId })
  assert.deepEqual((await recent(gateway)).sort(), ['c', 'd', 'e'])
})

test('spans past their age go as new ones come', async () => {
  await using gateway = await start({ retentionDays: 1 })
  for (const taskId of ['a', 'b']) await record(gateway, { taskId })
  gateway.clock.advance(86_401)
  await record(gateway, { taskId: 'c' })
  assert.deepEqual(await recent(gateway), ['c'])
  assert.equal((await gateway.documents())['traces.spans']?.length, 1)
})
