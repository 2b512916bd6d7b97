import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { claim, create, fail, get, HOUR, start, type Task, update, working } from './support.ts'

const recorded: RecordedEvent[] = []
/** Plays a family that delivers public events to the outside. */
const recorder = definePlugin({
  id: 'recorder',
  sdk: '^1.0.0',
  description: 'Remembers.',
  contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
})
const begin = () => {
  recorded.length = 0
  return start({ plugins: [recorder] })
}
const told = () => recorded.map(({ event, payload }) => ({ event, ...payload }) as Record<string, unknown>)

test('a new task is told of, without its description and notes', async () => {
  await using gateway = await begin()
  const task = await create(gateway, { title: 'Ship it', description: 'secret plans', notes: 'more of them' })
  const { taskId, createdAt } = task
  assert.deepEqual(told(), [
    { event: 'tasks.created', taskId, repo: 'web', title: 'Ship it', priority: 'P2', status: 'pending', createdAt },
  ])
})

test('each change of status is told once, with the one before; other changes are not', async () => {
  await using gateway = await begin()
  const task = await create(gateway)
  await update(gateway, task, { notes: 'looking at it' })
  await claim(gateway)
  await fail(gateway, task)
  await update(gateway, task, { status: 'done', prUrl: 'https://code.example/pull/1' })
  assert.deepEqual(
    told()
      .filter(({ event }) => event === 'tasks.moved')
      .map(({ event, before, status, lastError, prUrl }) => ({ event, before, status, lastError, prUrl })),
    [
      { event: 'tasks.moved', before: 'working', status: 'pending', lastError: 'it broke', prUrl: undefined },
      { event: 'tasks.moved', before: 'pending', status: 'done', lastError: 'it broke', prUrl: 'https://code.example/pull/1' },
    ],
  )
})

test('a claim is told once, soon after it, and its answer shows no mark of that', async () => {
  await using gateway = await begin()
  const { taskId } = await create(gateway)
  const claimedTask = (await claim(gateway)) as Task
  assert.equal('claimNews' in claimedTask, false)
  await gateway.runJob('tasks.claim-news')
  await gateway.runJob('tasks.claim-news')
  const { claimedAt, leaseUntil } = claimedTask
  assert.deepEqual(told().slice(1), [
    {
      event: 'tasks.claimed',
      taskId,
      repo: 'web',
      title: 'A task',
      priority: 'P2',
      status: 'working',
      claimedBy: 'ada',
      claimedAt,
      leaseUntil,
    },
  ])
  assert.equal('claimNews' in (await get(gateway, { taskId })), false)
})

test('a claim is told before the move that ends it, and after a restart', async () => {
  await using gateway = await begin()
  const quick = await create(gateway)
  await claim(gateway)
  await update(gateway, quick, { status: 'done' })
  await gateway.runJob('tasks.claim-news')
  assert.deepEqual(
    told().map(({ event }) => event),
    ['tasks.created', 'tasks.claimed', 'tasks.moved'],
  )
  await create(gateway)
  await claim(gateway)
  await gateway.restart()
  await gateway.runJob('tasks.claim-news')
  assert.equal(told().at(-1)?.event, 'tasks.claimed')
})

test('a failure is told with its error and its next attempt, an expired lease too', async () => {
  await using gateway = await begin()
  const task = await working(gateway)
  const { nextRetryAt, retryCount } = await fail(gateway, task)
  const [failure] = told().filter(({ event }) => event === 'tasks.failed')
  const { status, error, claimedBy } = failure as Record<string, unknown>
  assert.deepEqual(
    [status, error, claimedBy, failure?.nextRetryAt, failure?.retryCount],
    ['pending', 'it broke', 'ada', nextRetryAt, retryCount],
  )
  await working(gateway, { title: 'Another' })
  gateway.clock.advance(2 * HOUR * 1_000)
  await gateway.runJob('tasks.lease-reap')
  assert.equal(
    told()
      .filter(({ event }) => event === 'tasks.failed')
      .at(-1)?.error,
    'lease expired',
  )
})
