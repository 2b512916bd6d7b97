import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { at, create, get, MINUTE, start, type TestGateway, target, tick } from './support.ts'

const lostRuns = (gateway: TestGateway): Promise<void> => gateway.runJob('schedules.lost-runs')

/** Runs that hang in the first process, and end at once in the next one. */
function hangingOnce() {
  let calls = 0
  return target(async () => {
    if (++calls === 1) await new Promise(() => {})
  })
}
const killed = { env: { GATEWAY_STOP_TIMEOUT_MS: '100' } }

test('a run whose process is gone is kept as an error within seconds of the restart, and the next fire runs', async () => {
  const { plugin, calls } = hangingOnce()
  await using gateway = await start({ plugins: [plugin], ...killed })
  const schedule = await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  void tick(gateway)
  while (calls.length === 0) await new Promise(setImmediate)
  await gateway.restart()
  await lostRuns(gateway)
  const { lastStatus, lastError, runId, runNode, nextRun } = await get(gateway, schedule)
  assert.deepEqual([lastStatus, runId, runNode, nextRun], ['error', undefined, undefined, at('09:10')])
  assert.match(lastError ?? '', /began at 2026-01-05T09:05:00.000Z did not end.*not repeated/)
  const { runs } = await gateway.call('schedules.runs', { scheduleId: schedule.scheduleId })
  assert.deepEqual([runs.length, runs[0].status], [1, 'error'])
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
  assert.equal((await get(gateway, schedule)).lastStatus, 'success')
})

test('after a kill, a retry of schedules_run_now with its idempotency key runs, and keeps the lost run as an error', async () => {
  const { plugin, calls } = hangingOnce()
  await using gateway = await start({ plugins: [plugin], ...killed })
  const { scheduleId } = await create(gateway)
  const url = `/api/schedules/${scheduleId}/run`
  const run = () => gateway.inject({ method: 'POST', url, headers: { 'idempotency-key': 'the one' } })
  void run().catch(() => {})
  while (calls.length === 0) await new Promise(setImmediate)
  await gateway.restart()
  const { status, json } = await run()
  assert.deepEqual([status, json().run?.status], [200, 'success'])
  const { runs } = await gateway.call('schedules.runs', { scheduleId })
  assert.deepEqual(
    runs.map((one: { status: string }) => one.status),
    ['success', 'error'],
  )
})

test('a run of a process that lives is left alone, however long it takes within its lease', async () => {
  const gate = new EventEmitter()
  const { plugin, calls } = target(async () => void (await once(gate, 'open')))
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway, { cronExpr: '0 12 * * *' })
  gateway.clock.set(at('12:00'))
  const ticking = tick(gateway)
  while (calls.length === 0) await new Promise(setImmediate)
  gateway.clock.advance(50 * MINUTE)
  await lostRuns(gateway)
  assert.equal((await get(gateway, schedule)).runStartedAt, at('12:00'))
  gate.emit('open')
  await ticking
  assert.equal((await get(gateway, schedule)).lastStatus, 'success')
})
