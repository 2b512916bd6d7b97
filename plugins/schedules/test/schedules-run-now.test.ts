import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { admin, at, create, get, MINUTE, runNow, start, target, tick, update } from './support.ts'

test('it runs at once, says how it ended, and keeps the next run', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const before = await create(gateway, { message: '{"text":"hello"}' })
  gateway.clock.advance(MINUTE)
  const after = await runNow(gateway, before)
  assert.deepEqual(after, { ...before, lastRun: at('09:01'), lastStatus: 'success' })
  assert.deepEqual(await get(gateway, before), after)
  assert.deepEqual(
    calls.map(({ text }) => text),
    ['hello'],
  )
  gateway.clock.advance(4 * MINUTE)
  await tick(gateway)
  assert.equal(calls.length, 2)
})

test('what is overdue stays overdue, and so runs by itself as well', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway)
  gateway.clock.advance(7 * MINUTE)
  assert.equal((await runNow(gateway, schedule)).nextRun, at('09:05'))
  await tick(gateway)
  assert.equal(calls.length, 2)
})

test('a run that fails is no failure of the call: lastStatus is error, lastError says why, and the next success clears it', async () => {
  await using gateway = await start()
  const schedule = await create(gateway, { message: '{"text":"fail"}' })
  const failed = await runNow(gateway, schedule)
  assert.equal(failed.lastStatus, 'error')
  assert.match(failed.lastError ?? '', /\w/)
  await update(gateway, schedule, { message: '{}' })
  const { lastStatus, lastError } = await runNow(gateway, schedule)
  assert.deepEqual([lastStatus, lastError], ['success', undefined])
})

test('without a message the tool is called without arguments', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  await runNow(gateway, await create(gateway))
  assert.equal(calls[0]?.text, undefined)
})

test('one that is switched off can be run, and stays off', async () => {
  await using gateway = await start()
  const { lastStatus, enabled } = await runNow(gateway, await create(gateway, { enabled: false }))
  assert.deepEqual([lastStatus, enabled], ['success', false])
})

test('the kinds agent and skill are SWITCHED_OFF without their family, and the refusal counts as no run', async () => {
  await using gateway = await start()
  for (const kind of ['agent', 'skill']) {
    const schedule = await create(gateway, { kind, target: 'x' })
    await assert.rejects(runNow(gateway, schedule), refusal('SWITCHED_OFF', undefined, new RegExp(`need the plugin ${kind}s`)))
    assert.deepEqual(await get(gateway, schedule), schedule)
  }
})

test('one run at a time: a second one is refused while the first is under way, and so is one that it makes itself', async () => {
  const gate = new EventEmitter()
  const { plugin, calls } = target(async () => void (await once(gate, 'open')))
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway)
  const first = runNow(gateway, schedule)
  while (calls.length === 0) await new Promise(setImmediate)
  await assert.rejects(runNow(gateway, schedule), refusal('CONFLICT', 'scheduleId', /running since 2026-01-05T09:00/))
  gate.emit('open')
  assert.equal((await first).lastStatus, 'success')

  const loop = await create(gateway, { target: 'schedules_run_now', message: '{"scheduleId":"itself"}' })
  await update(gateway, loop, { message: JSON.stringify({ scheduleId: loop.scheduleId }) })
  const { lastStatus, lastError } = await runNow(gateway, loop)
  assert.equal(lastStatus, 'error')
  assert.match(lastError ?? '', /has been running since/)
})

test('one that is removed while it runs is a CONFLICT', async () => {
  let remove = async (): Promise<void> => {}
  const { plugin } = target(() => remove())
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway)
  remove = async () => void (await gateway.call('schedules_delete', { scheduleId: schedule.scheduleId }))
  await assert.rejects(runNow(gateway, schedule), refusal('CONFLICT', 'scheduleId', /removed/))
})

test('an id that is unknown, or another tenant’s, is NOT_FOUND; over REST a 404', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const theirs = await create(gateway, {}, { as: admin })
  for (const scheduleId of ['schedule-x', theirs.scheduleId]) {
    await assert.rejects(runNow(gateway, { scheduleId }), refusal('NOT_FOUND'))
    assert.equal((await gateway.inject({ method: 'POST', url: `/api/schedules/${scheduleId}/run` })).status, 404)
  }
  assert.equal(calls.length, 0)
})

test('POST …/run runs it', async () => {
  await using gateway = await start()
  const { scheduleId } = await create(gateway)
  const { status, json } = await gateway.inject({ method: 'POST', url: `/api/schedules/${scheduleId}/run` })
  assert.deepEqual([status, json().schedule.lastStatus], [200, 'success'])
})
