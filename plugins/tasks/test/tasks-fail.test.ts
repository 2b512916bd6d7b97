import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { alerts, at, claim, create, fail, get, HOUR, MINUTE, start, update, working } from './support.ts'

test('with retries left the task is pending again, the ledger is bumped, and it backs off 5, 10, 20 minutes', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway)
  for (const [i, minutes] of [5, 10, 20].entries()) {
    const task = await fail(gateway, { taskId })
    assert.deepEqual([task.status, task.retryCount, task.nextRetryAt], ['pending', i + 1, at(gateway, minutes * MINUTE)])
    assert.deepEqual([task.claimedBy, task.claimedAt, task.leaseUntil, task.claimId], [undefined, undefined, undefined, undefined])
    gateway.clock.advance(minutes * MINUTE - 1)
    assert.equal(await claim(gateway), undefined)
    gateway.clock.advance(1)
    assert.equal((await claim(gateway))?.taskId, taskId)
  }
})

test('the fourth failure makes it dead_letter, which an alert and the listing show', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway, { title: 'Hopeless' })
  for (let i = 0; i < 3; i++) {
    await fail(gateway, { taskId })
    gateway.clock.advance(6 * HOUR)
    await claim(gateway)
  }
  assert.equal(alerts(gateway, 'tasks.dead-letter').length, 0)
  const task = await fail(gateway, { taskId }, { error: 'for good' })
  assert.deepEqual([task.status, task.retryCount, task.nextRetryAt, task.lastError], ['dead_letter', 3, undefined, 'for good'])
  assert.match(String(alerts(gateway, 'tasks.dead-letter')[0]?.message), new RegExp(`Hopeless.*${taskId}.*for good`))
  assert.deepEqual((await gateway.call('tasks_list', { status: 'dead_letter' })).tasks, [task])
})

test('backoff never exceeds six hours', async () => {
  await using gateway = await start({ env: { TASK_MAX_RETRIES: '9' } })
  const { taskId } = await working(gateway)
  const waits = []
  for (let i = 0; i < 9; i++) {
    const { nextRetryAt } = await fail(gateway, { taskId })
    waits.push((Date.parse(String(nextRetryAt)) - gateway.clock.now()) / 1000 / MINUTE)
    gateway.clock.advance(6 * HOUR)
    await claim(gateway)
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 360, 360])
})

test('TASK_MAX_RETRIES=0 retries nothing', async () => {
  await using gateway = await start({ env: { TASK_MAX_RETRIES: '0' } })
  assert.equal((await fail(gateway, await working(gateway))).status, 'dead_letter')
})

test('the claim is over, for a task that is retried and for one that is not', async () => {
  await using gateway = await start({ env: { TASK_MAX_RETRIES: '0' } })
  const { claimId, ...task } = await working(gateway)
  assert.equal((await fail(gateway, task, { claimId })).claimId, undefined)
  await assert.rejects(update(gateway, task, { status: 'done', claimId }), refusal('CONFLICT', 'claimId'))
})

for (const status of ['review', 'done']) {
  test(`a try that ends in ${status} clears the error of an earlier one, which stays in the notes and the history`, async () => {
    await using gateway = await start()
    const { taskId } = await working(gateway)
    await fail(gateway, { taskId }, { error: 'The runner died.' })
    gateway.clock.advance(HOUR)
    await claim(gateway)
    assert.equal((await get(gateway, { taskId })).lastError, 'The runner died.')
    const { lastError, notes } = await update(gateway, { taskId }, { status })
    assert.deepEqual([lastError, notes], [undefined, 'The runner died.'])
    const { events } = await gateway.call('tasks.history', { taskId })
    assert.ok(events.some(({ error }: { error?: string }) => error === 'The runner died.'))
  })
}

test('error is stored as lastError, and added to the notes', async () => {
  await using gateway = await start()
  const noted = await fail(gateway, await working(gateway, { notes: 'before' }), { error: 'disk full' })
  assert.deepEqual([noted.lastError, noted.notes], ['disk full', 'before\ndisk full'])
  const bare = await fail(gateway, await working(gateway), { error: 'disk full' })
  assert.equal(bare.notes, 'disk full')
  for (const error of [undefined, '', ' \n']) {
    const silent = await fail(gateway, await working(gateway, { notes: 'before' }), { error })
    assert.deepEqual([silent.lastError, silent.notes], ['failed without a message', 'before\nfailed without a message'])
  }
})

test('only a working task can fail', async () => {
  await using gateway = await start()
  for (const status of ['pending', 'review', 'done', 'blocked', 'paused', 'dead_letter']) {
    const task = await update(gateway, await create(gateway), { status })
    await assert.rejects(fail(gateway, task), refusal('CONFLICT', 'taskId'))
    assert.deepEqual(await get(gateway, task), task)
  }
  await assert.rejects(fail(gateway, { taskId: 'task-x' }), refusal('NOT_FOUND'))
})

test('a stale claimId is refused and changes nothing', async () => {
  await using gateway = await start()
  const first = await working(gateway)
  await update(gateway, first, { status: 'pending' })
  const second = await claim(gateway, { claimedBy: 'bob' })
  await assert.rejects(fail(gateway, first, { claimId: first.claimId }), refusal('CONFLICT', 'claimId'))
  assert.deepEqual(await get(gateway, first), second)
  assert.equal((await fail(gateway, first, { claimId: second?.claimId })).status, 'pending')
})

test('a failing task holds its dependents back, as before', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  const dependent = await create(gateway, { dependsOn: [task.taskId] })
  await fail(gateway, task)
  assert.equal((await get(gateway, dependent)).stage, 'waiting')
})

test('POST /api/tasks/:taskId/fail is the same tool', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway)
  const first = await gateway.inject({ method: 'POST', url: `/api/tasks/${taskId}/fail`, body: { error: 'x' } })
  assert.deepEqual([first.status, first.json().task.lastError], [200, 'x'])
  assert.equal((await gateway.inject({ method: 'POST', url: `/api/tasks/${taskId}/fail`, body: {} })).status, 409)
})
