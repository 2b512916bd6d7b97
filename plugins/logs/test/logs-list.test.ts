import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import logs from '../src/index.ts'
import type { Log } from '../src/schema.ts'

let gateway: TestGateway
let began: number
const list = async (args: object, as?: object): Promise<string[]> =>
  ((await gateway.call('logs_list', args, as ? { as } : undefined)).logs as Log[]).map(({ message }) => message)

before(async () => {
  gateway = await startTestGateway({ plugins: [logs] })
  began = gateway.clock.now()
  const lines = [
    { correlationId: 'a', service: 'runner', level: 'info', message: 'one Started' },
    { correlationId: 'a', level: 'error', message: 'two FAILED %_' },
    { correlationId: 'b', service: 'agent', level: 'error', message: 'three failed' },
    { correlationId: 'b', service: 'runner', level: 'error', message: 'four' },
    { correlationId: 'a', service: 'gateway', level: 'debug', message: 'five' },
  ]
  for (const line of lines) {
    await gateway.call('logs_record', line)
    gateway.clock.advance(10)
  }
})
after(() => gateway.stop())

test('without a filter all lines come, newest first', async () => {
  assert.deepEqual(await list({}), ['five', 'four', 'three failed', 'two FAILED %_', 'one Started'])
})

test('lines match every given filter', async () => {
  assert.deepEqual(await list({ correlationId: 'a' }), ['five', 'two FAILED %_', 'one Started'])
  assert.deepEqual(await list({ service: 'runner' }), ['four', 'one Started'])
  assert.deepEqual(await list({ level: 'error' }), ['four', 'three failed', 'two FAILED %_'])
  assert.deepEqual(await list({ level: 'error', service: 'runner' }), ['four'])
  assert.deepEqual(await list({ correlationId: 'a', level: 'error' }), ['two FAILED %_'])
  assert.deepEqual(await list({ correlationId: 'a', service: 'agent' }), [])
})

test('q is a literal part of the message in any case', async () => {
  assert.deepEqual(await list({ q: 'FaIlEd' }), ['three failed', 'two FAILED %_'])
  assert.deepEqual(await list({ q: '%_' }), ['two FAILED %_'])
  assert.deepEqual(await list({ q: 'failed', service: 'agent' }), ['three failed'])
  assert.deepEqual(await list({ q: 'e', limit: 2 }), ['five', 'three failed'])
  assert.deepEqual(await list({ q: 'nowhere' }), [])
})

test('what stands in a message is found in its own letters, also where a capital sigma has two small ones', async () => {
  const as = { tenantId: 'greek' }
  await gateway.call('logs_record', { correlationId: 'a', message: 'ΟΔΟΣΑΝ' }, { as })
  for (const q of ['ΟΔΟΣ', 'οδοσ', 'Οδος', 'σΑν']) assert.deepEqual(await list({ q }, as), ['ΟΔΟΣΑΝ'], q)
})

test('since is a time in milliseconds, itself included', async () => {
  assert.deepEqual(await list({ since: began + 30_000 }), ['five', 'four'])
  assert.deepEqual(await list({ since: began + 30_000.5 }), ['five'])
  assert.deepEqual(await list({ since: began + 10_000, correlationId: 'a' }), ['five', 'two FAILED %_'])
  assert.equal((await list({ since: 0 })).length, 5)
  assert.deepEqual(await list({ since: Date.UTC(10_000, 0) - 1 }), [])
  for (const since of [-1, Date.UTC(10_000, 0), began * 1_000, 9e15, '2026-01-01T00:00:00Z'])
    await assert.rejects(list({ since }), { code: 'BAD_REQUEST' })
})

test('the limit is 200 unless asked otherwise, and 2,000 at most', async () => {
  const as = { tenantId: 'many' }
  const lines = Array.from({ length: 1_000 }, (_, i) => ({ correlationId: 'c', message: `${i}`.padStart(4, '0') }))
  for (let i = 0; i < 3; i++) await gateway.call('logs.batch', { lines }, { as })
  assert.equal((await list({}, as)).length, 200)
  assert.equal((await list({ limit: 9_999 }, as)).length, 2_000)
  assert.equal((await list({ limit: 9_999, q: '99' }, as)).length, 57)
  assert.equal((await list({ limit: 3 }, as)).length, 3)
  await assert.rejects(list({ limit: 0 }), { code: 'BAD_REQUEST' })
})

test('a tenant sees no line of another', async () => {
  assert.deepEqual(await list({}, { tenantId: 'stranger' }), [])
})

test('over REST the filters stand in the query', async () => {
  const answer = await gateway.inject({ method: 'GET', url: `/api/logs?level=error&since=${began + 20_000}&limit=1` })
  assert.deepEqual([answer.status, answer.json().logs.map(({ message }: Log) => message)], [200, ['four']])
})
