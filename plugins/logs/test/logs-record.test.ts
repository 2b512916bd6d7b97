import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import logs from '../src/index.ts'
import type { Log } from '../src/schema.ts'

const DAY = 86_400
const KEY = 'gw_live_0123456789AB_0123456789abcdefGHIJ0123456789abcdefGH'
const start = (config: object = {}) => startTestGateway({ plugins: [logs], config: { logs: { ...config } } })
const record = (gateway: TestGateway, args: object, options?: object): Promise<{ log: Log }> =>
  gateway.call('logs_record', { correlationId: 'task-1', message: 'hello', ...args }, options)
const stored = async (gateway: TestGateway, tenant?: string) => (await gateway.documents(tenant)).logs as readonly Log[]
const messages = async (gateway: TestGateway) => (await stored(gateway)).map(({ message }) => message).sort()

test('a line is stored with its time, and level info unless it says another', async () => {
  await using gateway = await start()
  const { log } = await record(gateway, { service: 'runner', attributes: { step: 1, nested: { deep: ['x'] } } })
  const { logId, ...line } = log
  assert.match(logId, /^log-\d+$/)
  assert.deepEqual(line, {
    correlationId: 'task-1',
    service: 'runner',
    level: 'info',
    message: 'hello',
    attributes: { step: 1, nested: { deep: ['x'] } },
    createdAt: new Date(gateway.clock.now()).toISOString(),
  })
  assert.deepEqual(await stored(gateway), [log])
  assert.equal((await record(gateway, { level: 'error' })).log.level, 'error')
})

test('no secret is stored: not from the message, not from attributes at any depth', async () => {
  await using gateway = await start()
  const attributes = { headers: { authorization: 'Bearer abcdef', list: [`key ${KEY}`] }, [KEY]: 1, url: 'redis://u:hunter2@cache/0' }
  const { log } = await record(gateway, { message: `called with ${KEY}, password=hunter2`, attributes })
  assert.equal(log.message, 'called with [redacted], password=[redacted]')
  assert.deepEqual(log.attributes, {
    headers: { authorization: '[redacted]', list: ['key [redacted]'] },
    '[redacted]': 1,
    url: 'redis://u:[redacted]@cache/0',
  })
  const kept = JSON.stringify(await gateway.documents())
  for (const secret of [KEY, 'hunter2', 'abcdef']) assert.ok(!kept.includes(secret))
})

test('what is too long is cut after its secrets are gone, and large attributes leave only their size', async () => {
  await using gateway = await start({ maxMessageCharacters: 20, maxAttributesCharacters: 64 })
  const { log } = await record(gateway, { message: `123456789 ${KEY} and more`, attributes: { text: 'x '.repeat(100) } })
  assert.equal(log.message, '123456789 [redacted]')
  assert.deepEqual(log.attributes, { truncated: true, characters: 211 })
})

test('a line with halves of surrogate pairs or NUL in its texts is recorded, alone and in a batch, and found by its id', async () => {
  await using gateway = await start()
  const line = { correlationId: 'task\0\ud800', message: 'cut \ud83d', attributes: { 'k\ud83d': ['\udc00'], firstTokenMs: 812 } }
  const repaired = { correlationId: 'task\ufffd\ufffd', message: 'cut \ufffd', attributes: { 'k\ufffd': ['\ufffd'], firstTokenMs: 812 } }
  const single = await gateway.inject({ method: 'POST', url: '/api/logs', body: line })
  assert.equal(single.status, 201, single.body)
  const batch = await gateway.inject({ method: 'POST', url: '/api/logs/batch', body: { lines: [line, line] } })
  assert.deepEqual(batch.json(), { recorded: 2 })
  const found = (await gateway.call('logs_list', { correlationId: 'task\0\ud800' })).logs
  assert.deepEqual(
    found.map(({ correlationId, message, attributes }: Log) => ({ correlationId, message, attributes })),
    [repaired, repaired, repaired],
  )
})

test('services and levels are those of the list', async () => {
  await using gateway = await start()
  for (const [field, value] of [
    ['service', 'robot'],
    ['level', 'fatal'],
    ['message', 7],
    ['correlationId', ''],
    ['extra', 1],
  ] as const) {
    await assert.rejects(record(gateway, { [field]: value }), { code: 'BAD_REQUEST' }, field)
  }
  assert.deepEqual(await stored(gateway), [])
})

test('the ring drops the oldest line for each that comes when it is full, per tenant', async () => {
  await using gateway = await start({ maxLines: 3 })
  for (let i = 1; i <= 5; i++) await record(gateway, { message: `${i}` })
  assert.deepEqual(await messages(gateway), ['3', '4', '5'])
  await record(gateway, { message: 'theirs' }, { as: { tenantId: 'other' } })
  assert.equal((await stored(gateway, 'other')).length, 1)
  assert.equal((await stored(gateway)).length, 3)
  await gateway.restart()
  await record(gateway, { message: '6' })
  assert.deepEqual(await messages(gateway), ['4', '5', '6'])
})

test('lines that come at once get an order, and none is lost or doubled', async () => {
  await using gateway = await start({ maxLines: 50 })
  const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => record(gateway, { message: `${i}` })))
  const ids = answers.map(({ log }) => log.logId)
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(new Set(ids).size, 80)
  assert.deepEqual(
    answers.map(({ log }) => log.message),
    ids.map((_, i) => `${i}`),
  )
  await record(gateway, {})
  const left = await stored(gateway)
  assert.equal(left.length, 50)
  assert.ok(left.every(({ logId }) => logId > (ids[30] as string)))
})

test('lines past their age go as new ones come', async () => {
  await using gateway = await start({ retentionDays: 2 })
  for (const message of ['1', '2']) await record(gateway, { message })
  gateway.clock.advance(DAY)
  await record(gateway, { message: '3' })
  gateway.clock.advance(DAY + 1)
  await record(gateway, { message: '4' })
  assert.deepEqual(await messages(gateway), ['3', '4'])
})

test('a batch is stored in its order, all of it or nothing', async () => {
  await using gateway = await start()
  const send = (lines: readonly object[]) => gateway.inject({ method: 'POST', url: '/api/logs/batch', body: { lines } })
  const line = (i: number) => ({ correlationId: 'task-1', message: `${i} token=abc` })
  const answer = await send(Array.from({ length: 1_000 }, (_, i) => line(i)))
  assert.deepEqual([answer.status, answer.json()], [201, { recorded: 1_000 }])
  const kept = [...(await stored(gateway))].sort((a, b) => (a.logId < b.logId ? -1 : 1))
  assert.deepEqual(
    kept.map(({ message }) => message),
    kept.map((_, i) => `${i} token=[redacted]`),
  )
  assert.equal((await send([line(1), { message: 'no id' }])).status, 400)
  assert.equal((await send(Array.from({ length: 1_001 }, (_, i) => line(i)))).status, 400)
  assert.equal((await send([])).status, 400)
  assert.equal((await stored(gateway)).length, 1_000)
})

test('batches that come at once, more together than one step of the store takes, are each answered whole and in order', async () => {
  await using gateway = await start()
  const lines = (batch: number) => Array.from({ length: 400 }, (_, i) => ({ correlationId: `${batch}`, message: `${i}` }))
  const answers = await Promise.all([0, 1, 2, 3].map((batch) => gateway.call('logs.batch', { lines: lines(batch) })))
  assert.deepEqual(
    answers.map(({ recorded }) => recorded),
    [400, 400, 400, 400],
  )
  const kept = [...(await stored(gateway))].sort((a, b) => (a.logId < b.logId ? -1 : 1))
  assert.equal(kept.length, 1_600)
  for (const batch of ['0', '1', '2', '3']) {
    const own = kept.filter(({ correlationId }) => correlationId === batch)
    assert.deepEqual(
      own.map(({ message }) => message),
      own.map((_, i) => `${i}`),
    )
  }
})
