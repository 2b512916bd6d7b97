import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { admin, at, create, get, MINUTE, queued, runNow, start, sweep } from './support.ts'

test('it enqueues a task at once, and keeps the next fire', async () => {
  await using gateway = await start()
  const before = await create(gateway)
  gateway.clock.advance(MINUTE)
  const { recurringTask, enqueued, taskId } = await runNow(gateway, before)
  const fired = { lastFireAt: at('09:01'), lastOutcome: 'enqueued', lastTaskId: taskId }
  assert.deepEqual([recurringTask, enqueued], [{ ...before, ...fired }, true])
  assert.deepEqual(await get(gateway, before), recurringTask)
  assert.deepEqual(
    (await queued(gateway)).map((task) => task.taskId),
    [taskId],
  )
})

test('what is overdue stays overdue', async () => {
  await using gateway = await start()
  const template = await create(gateway, { overlapPolicy: 'stack' })
  gateway.clock.advance(7 * MINUTE)
  assert.equal((await runNow(gateway, template)).recurringTask.nextFireAt, at('09:05'))
  await sweep(gateway)
  assert.equal((await queued(gateway)).length, 2)
})

test('with skip, nothing is enqueued while the task before is open, and the answer says so; with stack, always', async () => {
  await using gateway = await start()
  const skipping = await create(gateway)
  const { taskId } = await runNow(gateway, skipping)
  gateway.clock.advance(MINUTE)
  const { recurringTask, ...answer } = await runNow(gateway, skipping)
  assert.deepEqual(answer, { enqueued: false })
  const { lastOutcome, lastFireAt, lastTaskId } = recurringTask
  assert.deepEqual([lastOutcome, lastFireAt, lastTaskId], ['skipped', at('09:01'), taskId])
  assert.equal((await queued(gateway)).length, 1)

  const stacking = await create(gateway, { overlapPolicy: 'stack' })
  for (let i = 0; i < 3; i++) assert.equal((await runNow(gateway, stacking)).enqueued, true)
  assert.equal((await queued(gateway)).length, 4)
})

test('of many calls at once, with skip one enqueues', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  const answers = await Promise.all(Array.from({ length: 10 }, () => runNow(gateway, template)))
  assert.equal(answers.filter(({ enqueued }) => enqueued).length, 1)
  assert.equal((await queued(gateway)).length, 1)
})

test('one that is switched off can be fired, and stays off', async () => {
  await using gateway = await start()
  const { recurringTask, enqueued } = await runNow(gateway, await create(gateway, { enabled: false }))
  assert.deepEqual([recurringTask.enabled, enqueued], [false, true])
})

test('an id that is unknown, or another tenant’s, is NOT_FOUND', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: admin })
  for (const recurringId of ['recurring-x', theirs.recurringId]) {
    await assert.rejects(runNow(gateway, { recurringId }), refusal('NOT_FOUND'))
  }
  assert.deepEqual([await queued(gateway), await queued(gateway, { as: admin })], [[], []])
})
