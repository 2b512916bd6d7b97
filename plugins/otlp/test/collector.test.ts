import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { collector, start } from './support.ts'

const calls = async (gateway: TestGateway, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await gateway.call('sample_run', {})
}
async function outcomes(gateway: TestGateway): Promise<Readonly<Record<string, number>>> {
  const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
  return Object.fromEntries([...body.matchAll(/^gateway_otlp_spans_total\{outcome="(\w+)"\} (\d+)$/gm)].map(([, of, n]) => [of, Number(n)]))
}
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate)
}

test('spans go in batches, none is lost and none sent twice', async () => {
  using it = await collector()
  await using gateway = await start(it.url, { maxBatch: 10 })
  await calls(gateway, 95)
  await it.until(() => it.spans().length >= 95)
  await until(async () => (await outcomes(gateway)).sent === 95)
  assert.equal(new Set(it.spans().map(({ spanId }) => spanId)).size, 95)
  assert.ok(it.sent.every(({ spans }) => spans.length <= 10))
})

test('a collector that is unavailable, or hangs up, is asked again, and the log says it once', async () => {
  using it = await collector((response, request) => {
    if (request === 1) return void response.writeHead(503, { 'retry-after': '0' }).end()
    if (request === 2) return void response.destroy()
    response.end('{}')
  })
  await using gateway = await start(it.url)
  await calls(gateway, 1)
  await until(async () => (await outcomes(gateway)).sent === 1)
  assert.equal(it.sent.length, 3)
  const said = gateway.logs.filter(({ plugin }) => plugin === 'otlp').map(({ msg }) => msg)
  assert.deepEqual(said, ['spans could not be sent', 'the collector takes spans again'])
})

test('what a collector does not want is dropped and counted, whole or in part', async () => {
  using it = await collector((response, request) => {
    if (request === 1) return void response.writeHead(400).end('no')
    response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }))
  })
  await using gateway = await start(it.url, { maxBatch: 3, delayMs: 60_000 })
  await calls(gateway, 3)
  await until(async () => (await outcomes(gateway)).refused === 3)
  await calls(gateway, 3)
  await until(async () => (await outcomes(gateway)).refused === 5)
  assert.equal((await outcomes(gateway)).sent, 1)
})

test('behind a collector that hangs, calls go on: the queue fills to its bound, and more is dropped and counted', async () => {
  using it = await collector(() => {})
  await using gateway = await start(it.url, { maxQueue: 20, maxBatch: 5 })
  await calls(gateway, 5)
  await it.until(() => it.sent.length === 1)
  await calls(gateway, 50)
  assert.deepEqual(await outcomes(gateway), { full: 30 })
})

test('one that takes longer than it may is left, and asked again', async () => {
  using it = await collector((response, request) => void (request > 1 && response.end('{}')))
  await using gateway = await start(it.url, { timeoutMs: 50 })
  await calls(gateway, 1)
  await until(async () => (await outcomes(gateway)).sent === 1)
  assert.equal(it.sent.length, 2)
})

test('a stop sends what waits', async () => {
  using it = await collector()
  const gateway = await start(it.url, { delayMs: 600_000, maxBatch: 4 })
  await calls(gateway, 3)
  assert.deepEqual(it.sent, [])
  await gateway.stop()
  assert.equal(it.spans().length, 3)
})

test('a stop waits a few seconds at most for a collector that hangs, and says nothing of its own time limit', {
  timeout: 60_000,
}, async () => {
  using it = await collector(() => {})
  const gateway = await start(it.url, { delayMs: 600_000 })
  await calls(gateway, 3)
  await gateway.stop()
  assert.equal(it.sent.length, 1)
  assert.deepEqual(
    gateway.logs.filter(({ msg }) => String(msg).includes('observers of calls')),
    [],
  )
})
