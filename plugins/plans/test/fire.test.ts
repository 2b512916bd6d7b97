import assert from 'node:assert/strict'
import { test } from 'node:test'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, testClock } from '@gateway/testing'
import plans from '../src/index.ts'
import { list, type PlanDay, set, type TestGateway, TODAY } from './support.ts'

const DAY = 86_400
const begin = (config: Readonly<Record<string, unknown>> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [trash, tasks, plans], clock: testClock(`${TODAY}T12:00:00.000Z`), config: { plans: config } })

const fire = (gateway: TestGateway) => gateway.runJob('plans.fire')
const queue = async (gateway: TestGateway) => (await gateway.call('tasks_list', {})).tasks
/** Sunday, so that no time is moved: working hours in Sydney are over. */
const HOUR_UTC = 14

test('an enabled day becomes a task at its time, not before, and once; the day names it', async () => {
  await using gateway = await begin()
  await set(gateway, [{ day: 1, focus: 'Tidy the parser' }], { fireHourUtc: HOUR_UTC })
  gateway.clock.set(`${TODAY}T13:59:59.999Z`)
  await fire(gateway)
  assert.deepEqual(await queue(gateway), [])
  gateway.clock.set(`${TODAY}T14:00:00.000Z`)
  await Promise.all([fire(gateway), fire(gateway)])
  await fire(gateway)
  const all = await queue(gateway)
  assert.equal(all.length, 1)
  const [{ repo, title, source, sourceId, status, taskId }] = all
  const [day] = (await list(gateway)) as [PlanDay]
  assert.deepEqual([repo, title, source, sourceId, status], ['web', 'Tidy the parser', 'scheduler', day.planDayId, 'pending'])
  assert.deepEqual([day.taskId, day.status], [taskId, 'enabled'])
})

test('the day is done when its task is, and enabled again when the task is reopened', async () => {
  await using gateway = await begin()
  await set(gateway, [{ day: 1, focus: 'x' }], { fireHourUtc: HOUR_UTC })
  gateway.clock.advance(DAY)
  await fire(gateway)
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'm2/agent-5' })
  const move = (status: string) => gateway.call('tasks_update', { taskId: task.taskId, status })
  await move('review')
  assert.equal((await list(gateway))[0]?.status, 'enabled')
  await move('done')
  assert.equal((await list(gateway))[0]?.status, 'done')
  await move('pending')
  assert.equal((await list(gateway))[0]?.status, 'enabled')
  await fire(gateway)
  assert.equal((await queue(gateway)).length, 1)
})

test('days that were missed while the gateway was down fire once each after its start', async () => {
  await using gateway = await begin()
  await set(
    gateway,
    [1, 2, 3, 9].map((day) => ({ day, focus: `day ${day}` })),
    { fireHourUtc: HOUR_UTC },
  )
  gateway.clock.advance(4 * DAY)
  await gateway.restart()
  await fire(gateway)
  await fire(gateway)
  assert.deepEqual((await queue(gateway)).map(({ title }: { title: string }) => title).sort(), ['day 1', 'day 2', 'day 3'])
})

test('a day whose time was more than a week ago when it was written, enabled or restored does not fire until it is moved', async () => {
  await using gateway = await begin()
  const late = Array.from({ length: 60 }, (_, n) => ({ day: n + 1 }))
  const written = await set(gateway, late, { startDate: '2020-01-01', fireHourUtc: HOUR_UTC })
  assert.ok(written.days.every(({ past }: PlanDay) => past))
  await set(gateway, [{ day: 1, status: 'disabled' }, { day: 12 }], { repo: 'api', startDate: TODAY, fireHourUtc: HOUR_UTC })
  await gateway.call('plan_delete', { repo: 'web' })
  await set(gateway, [{ day: 1 }], { repo: 'cli', fireHourUtc: HOUR_UTC })
  const { trashId } = await gateway.call('plan_delete', { repo: 'cli' })
  gateway.clock.set('2026-01-14T15:00:00.000Z')
  await gateway.call('plan_restore', { repo: 'web' })
  await gateway.call('plan_restore', { trashId })
  await set(gateway, [{ day: 1, status: 'enabled' }], { repo: 'api' })
  await fire(gateway)
  assert.deepEqual(await queue(gateway), [])
  await set(gateway, [{ day: 1 }], { startDate: '2026-01-16', fireHourUtc: HOUR_UTC })
  gateway.clock.set('2026-01-16T14:00:00.000Z')
  await fire(gateway)
  assert.deepEqual((await queue(gateway)).map(({ repo }: { repo: string }) => repo).sort(), ['api', 'web'])
})

test('days that are disabled, done or blocked do not fire, and none does with plans.fire false', async () => {
  await using gateway = await begin()
  await set(
    gateway,
    ['disabled', 'done', 'blocked'].map((status, n) => ({ day: n + 1, status })),
    { fireHourUtc: HOUR_UTC },
  )
  gateway.clock.advance(9 * DAY)
  await fire(gateway)
  assert.deepEqual(await queue(gateway), [])
  await using silent = await begin({ fire: false })
  await set(silent, [{ day: 1 }], { fireHourUtc: HOUR_UTC })
  silent.clock.advance(DAY)
  await fire(silent)
  assert.deepEqual(await queue(silent), [])
})

test('a day that is planned anew fires again, and its former task no longer ends it', async () => {
  await using gateway = await begin()
  await set(gateway, [{ day: 1, focus: 'x' }], { fireHourUtc: HOUR_UTC })
  gateway.clock.advance(DAY)
  await fire(gateway)
  const [first] = await queue(gateway)
  await set(gateway, [{ day: 1, focus: 'y' }])
  assert.equal((await list(gateway))[0]?.taskId, first.taskId)
  await set(gateway, [{ day: 1 }], { startDate: '2026-01-09', fireHourUtc: HOUR_UTC })
  assert.equal((await list(gateway))[0]?.taskId, undefined)
  await gateway.call('tasks_update', { taskId: first.taskId, status: 'done' })
  assert.equal((await list(gateway))[0]?.status, 'enabled')
  gateway.clock.set('2026-01-09T14:00:00.000Z')
  await fire(gateway)
  assert.equal((await queue(gateway)).length, 2)
})

test('a focus that is too long for a title is the description too, and one without a focus names the day', async () => {
  await using gateway = await begin()
  const focus = 'long '.repeat(300).trim()
  await set(gateway, [{ day: 1, focus }, { day: 2 }], { fireHourUtc: HOUR_UTC })
  gateway.clock.advance(3 * DAY)
  await fire(gateway)
  const all = await queue(gateway)
  assert.equal(all.find(({ description }: { description?: string }) => description === focus)?.title.length <= 500, true)
  assert.ok(all.some(({ title }: { title: string }) => title === 'Day 2 of the plan of web'))
})

test('a plan that is written late in its week has its passed days done too', async () => {
  await using gateway = await begin()
  const { days } = await set(gateway, [{ day: 1 }, { day: 9 }], { startDate: '2025-12-29', fireHourUtc: HOUR_UTC })
  assert.ok(days.every(({ past }: PlanDay) => past === undefined))
  await fire(gateway)
  assert.equal((await queue(gateway)).length, 1)
})
