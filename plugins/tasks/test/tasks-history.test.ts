import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, create, fail, start, type TestGateway, update, working } from './support.ts'

const story = async (gateway: TestGateway, taskId: string) => {
  const { events } = (await gateway.inject({ method: 'GET', url: `/api/tasks/${taskId}/history` })).json()
  return events.map(({ what, by, error }: { what: string; by?: string; error?: string }) =>
    [what, by, error].filter((part) => part !== undefined).join(' '),
  )
}

test('a task’s story tells its creation, who claimed it when, its failures and where it came in the end', async () => {
  await using gateway = await start()
  const { taskId, claimId } = await working(gateway)
  assert.deepEqual(await story(gateway, taskId), ['created', 'claimed ada'])
  gateway.clock.advance(60_000)
  const failedAt = at(gateway)
  await fail(gateway, { taskId }, { error: 'no disk', claimId })
  gateway.clock.advance(3_600_000)
  await gateway.call('tasks_claim', { claimedBy: 'bob', taskId })
  await update(gateway, { taskId }, { status: 'review' })
  await update(gateway, { taskId }, { status: 'done', prUrl: 'https://example.org/1' })
  assert.deepEqual(await story(gateway, taskId), ['created', 'claimed ada', 'pending ada no disk', 'claimed bob', 'review bob', 'done'])
  const { events } = (await gateway.inject({ method: 'GET', url: `/api/tasks/${taskId}/history` })).json()
  assert.equal(events[2].at, failedAt)
})

test('of a task that goes back and forth the latest 50 moves are kept; what changes no status is no move', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  for (let index = 0; index < 30; index++) {
    await update(gateway, { taskId }, { status: 'paused' })
    await update(gateway, { taskId }, { status: 'pending', notes: 'again' })
    await update(gateway, { taskId }, { priority: index % 2 ? 'P0' : 'P1' })
  }
  const events = await story(gateway, taskId)
  assert.deepEqual([events.length, events[0], events[1], events.at(-1)], [51, 'created', 'paused', 'pending'])
})

test('a story outlives the trash and goes with its task; a task that is not there is named', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  await update(gateway, { taskId }, { status: 'paused' })
  const { trashId } = await gateway.call('tasks_delete', { taskId })
  const gone = await gateway.inject({ method: 'GET', url: `/api/tasks/${taskId}/history` })
  assert.deepEqual([gone.status, gone.json().code], [404, 'NOT_FOUND'])
  await gateway.call('tasks_restore', { trashId })
  assert.deepEqual(await story(gateway, taskId), ['created', 'paused'])
})

test('tasks are counted by status', async () => {
  await using gateway = await start()
  await create(gateway)
  await working(gateway)
  const { taskId } = await create(gateway)
  await update(gateway, { taskId }, { status: 'blocked' })
  const { counts, countsStopAt } = (await gateway.inject({ method: 'GET', url: '/api/tasks/counts' })).json()
  assert.deepEqual(counts, { pending: 1, working: 1, review: 0, done: 0, blocked: 1, paused: 0, dead_letter: 0 })
  assert.equal(countsStopAt, 10_000)
})
