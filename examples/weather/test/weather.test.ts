import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pluginSuite, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import weather from '../src/index.ts'

pluginSuite(weather, { folder: import.meta.dirname })

/** The external service: the test sets its answer, and it records the requests. */
let answer: { readonly status: number; readonly body: string; readonly silent?: boolean }
let asked: string[]
const service = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (!answer.silent) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
}).listen(0, '127.0.0.1')
await once(service, 'listening')
const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
after(() => {
  service.closeAllConnections()
  service.close()
})
beforeEach(() => {
  asked = []
  answer = { status: 200, body: '{"celsius":21.5,"sky":"clear"}' }
})

const start = (settings: object = {}, options: Partial<TestGatewayOptions> = {}) =>
  startTestGateway({ plugins: [weather], config: { weather: { baseUrl, ...settings } }, ...options })

test('a place is looked up once and answered from the cache until that is old', async () => {
  await using gateway = await start()
  const first = await gateway.call('weather_now', { place: 'São Paulo' })
  assert.deepEqual(first.reading, { place: 'são paulo', celsius: 21.5, sky: 'clear', readAt: '2026-01-05T09:00:00.000Z' })
  gateway.clock.advance(599)
  assert.deepEqual(await gateway.call('weather_now', { place: 'SÃO PAULO' }), first)
  assert.deepEqual(asked, ['/current?place=s%C3%A3o%20paulo'])
  gateway.clock.advance(1)
  await gateway.call('weather_now', { place: 'São Paulo' })
  assert.equal(asked.length, 2)
})

test('when the service is down an older reading is better than none, and says that it is older', async () => {
  await using gateway = await start({ cacheSeconds: 0 })
  await gateway.call('weather_now', { place: 'Oslo' })
  for (const broken of [
    { status: 500, body: '{}' },
    { status: 200, body: 'no JSON' },
    { status: 200, body: '{"celsius":"warm"}' },
  ]) {
    answer = broken
    await assertDown(gateway)
  }
})

test('a service that says nothing is down when its time is over', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-weather-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const before = await start({}, { dataDir })
  await before.call('weather_now', { place: 'Oslo' })
  await before.stop()
  answer = { status: 200, body: '', silent: true }
  await using gateway = await start({ cacheSeconds: 0, timeoutMs: 100 }, { dataDir })
  await assertDown(gateway)
})

/** For Oslo the gateway has an older reading. */
async function assertDown(gateway: TestGateway): Promise<void> {
  const { reading, fresh } = await gateway.call('weather_now', { place: 'Oslo' })
  assert.deepEqual([reading.celsius, fresh], [21.5, false])
  await assert.rejects(gateway.call('weather_now', { place: 'Nowhere' }), { code: 'UNAVAILABLE', status: 503 })
}

test('without a service the error names the setting', async () => {
  await using gateway = await startTestGateway({ plugins: [weather] })
  await assert.rejects(gateway.call('weather_now', { place: 'Oslo' }), {
    code: 'UNAVAILABLE',
    details: { message: 'No weather service is configured: set baseUrl of the plugin weather, or WEATHER_URL.', setting: 'baseUrl' },
  })
})

test('readings of one tenant are not those of another', async () => {
  await using gateway = await start()
  await gateway.call('weather_now', { place: 'Oslo' })
  await gateway.call('weather_now', { place: 'Oslo' }, { as: { tenantId: 'acme' } })
  assert.equal(asked.length, 2)
})
