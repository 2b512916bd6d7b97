import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { claim, create, fail, get, HOUR, start, type Task, type TestGateway, update, working } from './support.ts'

/** A claim that waits, with its answer so far. */
function waiting(
  gateway: TestGateway,
  args: object = {},
  tool = 'tasks_claim',
): { answer?: { task?: Task }; readonly done: Promise<Task | undefined> } {
  const call: { answer?: { task?: Task }; done: Promise<Task | undefined> } = { done: Promise.resolve(undefined) }
  call.done = gateway
    .call(tool, { waitSeconds: 55, ...(tool === 'tasks_claim' && { claimedBy: 'ada' }), ...args })
    .then((answer) => (call.answer = answer).task)
  return call
}

/** Resolves when the calls made before have looked and wait. */
async function settled(gateway: TestGateway): Promise<void> {
  for (let i = 0; i < 3; i++) await gateway.call('tasks_next', { repo: 'nowhere' })
}

const audited = async (gateway: TestGateway) => (await gateway.audit()).filter(({ tool }) => tool === 'tasks_claim').length

test('a claim that waits is answered when a task is created, and one with waitSeconds 0 at once', async () => {
  await using gateway = await start()
  const call = waiting(gateway)
  await settled(gateway)
  assert.equal(call.answer, undefined)
  const { taskId } = await create(gateway)
  assert.equal((await call.done)?.taskId, taskId)
  assert.deepEqual(await gateway.call('tasks_claim', { claimedBy: 'ada', waitSeconds: 0 }), { claimed: false })
  for (const waitSeconds of [-1, 56, 1.5]) {
    await assert.rejects(gateway.call('tasks_claim', { claimedBy: 'ada', waitSeconds }), refusal('BAD_REQUEST', 'waitSeconds'))
  }
})

/** Prepares a task that nobody can claim, and returns what makes it claimable. */
const changes: Record<string, (gateway: TestGateway) => Promise<() => Promise<Task>>> = {
  'a release': async (gateway) => {
    const task = await working(gateway)
    return () => update(gateway, task, { status: 'pending', claimId: task.claimId })
  },
  'an approval': async (gateway) => {
    const task = await update(gateway, await create(gateway), { status: 'paused' })
    return () => update(gateway, task, { status: 'pending' })
  },
  'a changed repo': async (gateway) => {
    const task = await create(gateway, { repo: 'held' })
    return () => update(gateway, task, { repo: 'web' })
  },
  'another agent': async (gateway) => {
    const task = await create(gateway, { assignedAgent: 'nobody' })
    return () => update(gateway, task, { assignedAgent: 'engineer' })
  },
  'a completed dependency': async (gateway) => {
    const upstream = await create(gateway, { repo: 'held' })
    const task = await create(gateway, { dependsOn: [upstream.taskId] })
    return async () => {
      await update(gateway, upstream, { status: 'done' })
      return task
    }
  },
  'a removed dependency': async (gateway) => {
    const upstream = await create(gateway, { repo: 'held' })
    const task = await create(gateway, { dependsOn: [upstream.taskId] })
    return () => update(gateway, task, { dependsOn: [] })
  },
  'a restore': async (gateway) => {
    const { taskId } = await create(gateway)
    await gateway.call('tasks_delete', { taskId })
    return async () => (await gateway.call('tasks_restore', { taskId })).task
  },
  'a replay': async (gateway) => {
    const task = await update(gateway, await create(gateway), { status: 'dead_letter' })
    return () => update(gateway, task, { status: 'pending' })
  },
}

for (const [name, prepare] of Object.entries(changes)) {
  test(`${name} wakes a claim that waits`, async () => {
    await using gateway = await start()
    const change = await prepare(gateway)
    const call = waiting(gateway, { repo: 'web', assignedAgents: ['engineer'] })
    await settled(gateway)
    assert.equal(call.answer, undefined)
    const { taskId } = await change()
    assert.equal((await call.done)?.taskId, taskId)
  })
}

test('a delayed task wakes a claim when it is due, whether it was delayed before or while the claim waits', async () => {
  await using gateway = await start()
  const later = await update(gateway, await create(gateway), { status: 'pending', deferSeconds: 30 })
  const sooner = await working(gateway)
  const calls = [waiting(gateway), waiting(gateway)]
  await settled(gateway)
  await update(gateway, sooner, { status: 'pending', deferSeconds: 10 })
  gateway.clock.advance(9)
  await settled(gateway)
  assert.equal(calls[0]?.answer, undefined)
  gateway.clock.advance(1)
  assert.equal((await calls[0]?.done)?.taskId, sooner.taskId)
  gateway.clock.advance(20)
  assert.equal((await calls[1]?.done)?.taskId, later.taskId)
})

test('a failed task wakes a claim when its backoff is over', async () => {
  await using gateway = await start()
  const { taskId, nextRetryAt } = await fail(gateway, await working(gateway))
  gateway.clock.set(new Date(Date.parse(nextRetryAt as string) - 10_000))
  const call = waiting(gateway)
  await settled(gateway)
  gateway.clock.advance(10)
  assert.equal((await call.done)?.taskId, taskId)
})

test('a task of an expired lease is found when its backoff is over', async () => {
  await using gateway = await start()
  const task = await claim(gateway, { taskId: (await create(gateway)).taskId, leaseSeconds: 1 })
  assert.ok(task)
  gateway.clock.advance(2)
  const call = waiting(gateway, { waitSeconds: 50 })
  await settled(gateway)
  await gateway.call('task_lease_reap')
  const { nextRetryAt } = await get(gateway, task)
  gateway.clock.set(new Date(Date.parse(nextRetryAt as string) - 10_000))
  assert.equal(await call.done, undefined)
  const later = waiting(gateway, { waitSeconds: 50 })
  await settled(gateway)
  gateway.clock.advance(10)
  assert.equal((await later.done)?.taskId, task.taskId)
})

test('a claim of a task by its id waits for that task alone', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'paused' })
  const call = waiting(gateway, { taskId: task.taskId })
  await settled(gateway)
  await create(gateway)
  await settled(gateway)
  assert.equal(call.answer, undefined)
  await update(gateway, task, { status: 'pending' })
  assert.equal((await call.done)?.taskId, task.taskId)
})

test('when the time is up the answer is the usual one, with its reason, and no record is in the audit trail', async () => {
  await using gateway = await start()
  const { taskId } = await update(gateway, await create(gateway), { status: 'paused' })
  const calls = [waiting(gateway, { waitSeconds: 5 }), waiting(gateway, { waitSeconds: 5, taskId })]
  await settled(gateway)
  gateway.clock.advance(4)
  await settled(gateway)
  gateway.clock.advance(2)
  for (const call of calls) assert.equal(await call.done, undefined)
  assert.deepEqual(
    calls.map(({ answer }) => answer),
    [{ claimed: false }, { claimed: false, reason: `Task ${taskId} is paused.` }],
  )
  assert.equal(await claim(gateway), undefined)
  assert.equal(await audited(gateway), 0)
  await create(gateway)
  assert.ok(await claim(gateway))
  assert.equal(await audited(gateway), 1)
})

test('of many claims that wait one gets the task, the longest waiting that it fits, and the others go on waiting', async () => {
  await using gateway = await start()
  const other = waiting(gateway, { repo: 'api' })
  const calls = Array.from({ length: 30 }, () => waiting(gateway))
  await settled(gateway)
  const first = await create(gateway)
  assert.equal((await calls[0]?.done)?.taskId, first.taskId)
  await settled(gateway)
  assert.equal(calls.filter(({ answer }) => answer !== undefined).length, 1)
  const { taskId } = await create(gateway, { repo: 'api' })
  assert.equal((await other.done)?.taskId, taskId)
  const operations = Array.from({ length: 29 }, (_, i) => ({ action: 'create', repo: 'web', title: `t${i}` }))
  await gateway.call('tasks_bulk', { operations })
  const taken = await Promise.all(calls.map(({ done }) => done))
  assert.equal(new Set(taken.map((task) => task?.taskId)).size, 30)
})

test('tasks_next waits too, takes nothing, and answers every call that the task fits', async () => {
  await using gateway = await start()
  const calls = ['web', 'web', 'api'].map((repo) => waiting(gateway, { repo }, 'tasks_next'))
  await settled(gateway)
  const { taskId } = await create(gateway)
  assert.equal((await calls[0]?.done)?.taskId, taskId)
  assert.equal((await calls[1]?.done)?.taskId, taskId)
  await settled(gateway)
  assert.equal(calls[2]?.answer, undefined)
  gateway.clock.advance(HOUR)
  assert.equal(await calls[2]?.done, null)
  assert.equal((await get(gateway, { taskId })).status, 'pending')
})

test('a task of another tenant wakes nobody', async () => {
  await using gateway = await start()
  const call = waiting(gateway)
  await settled(gateway)
  await create(gateway, {}, { as: { tenantId: 'acme' } })
  await settled(gateway)
  assert.equal(call.answer, undefined)
  gateway.clock.advance(60)
  assert.equal(await call.done, undefined)
})

test('a claim that is cancelled while it waits ends, takes nothing and leaves no record', async () => {
  await using gateway = await start()
  const abort = new AbortController()
  const call = gateway.call('tasks_claim', { claimedBy: 'ada', waitSeconds: 55 }, { signal: abort.signal })
  const ended = assert.rejects(call, refusal('CANCELLED'))
  await settled(gateway)
  abort.abort(new Error('the client disconnected'))
  await ended
  const { taskId } = await create(gateway)
  assert.equal((await get(gateway, { taskId })).status, 'pending')
  assert.equal(await audited(gateway), 0)
})
