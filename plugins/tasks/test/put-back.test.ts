import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claim, create, fail, get, start, type TestGateway, update, working } from './support.ts'

const move = (gateway: TestGateway, taskId: string, status: string) => gateway.call('tasks.move', { taskId, status })
const putBack = (gateway: TestGateway, { task, before }: Awaited<ReturnType<typeof move>>, options = {}) =>
  gateway.call('tasks.put-back', { taskId: task.taskId, before, ifUpdatedAt: task.updatedAt }, options)
const AUTOMATED = { as: { kind: 'api-key', role: 'member' } } as const

test('a dead letter that a person lets run is put back with its error, its retries and the time of its end', async () => {
  await using gateway = await start({ config: { tasks: { maxRetries: 1 } } })
  const { taskId } = await create(gateway)
  for (let retry = 0; retry < 2; retry++) {
    await claim(gateway, { taskId })
    await fail(gateway, { taskId }, { error: 'the disk is full' })
    gateway.clock.advance(3_600)
  }
  const dead = await get(gateway, { taskId })
  assert.deepEqual([dead.status, dead.retryCount, dead.lastError], ['dead_letter', 1, 'the disk is full'])
  const moved = await move(gateway, taskId, 'pending')
  assert.deepEqual([moved.task.status, moved.task.lastError, moved.task.retryCount], ['pending', undefined, undefined])
  const { task } = await putBack(gateway, moved)
  assert.deepEqual({ ...task, updatedAt: dead.updatedAt }, dead)
})

test('the note of a task that was sent back goes with the way back', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'review', notes: 'It works.' })
  const sent = await gateway.call('tasks.send-back', { taskId: task.taskId, note: 'A test.' })
  const back = await putBack(gateway, sent)
  assert.deepEqual([back.task.status, back.task.notes], ['review', 'It works.'])
})

test('a task that changed after its move is not put back', async () => {
  await using gateway = await start()
  const { taskId } = await update(gateway, await create(gateway), { status: 'paused' })
  const moved = await move(gateway, taskId, 'pending')
  const claimed = await claim(gateway, { taskId })
  await assert.rejects(putBack(gateway, moved), { code: 'CONFLICT' })
  assert.deepEqual(await get(gateway, { taskId }), claimed)
})

test('a task at work has no way back, because its claim ended with the move', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway)
  const moved = await move(gateway, taskId, 'pending')
  assert.equal(moved.before, undefined)
  const before = { status: 'working', retryCount: 0 }
  await assert.rejects(putBack(gateway, { ...moved, before }), { code: 'BAD_REQUEST', message: /before.status/ })
})

test('a person puts back any number of blocked tasks; a program is held to the bound of mass blocking', async () => {
  await using gateway = await start({ config: { tasks: { bulkBlockThreshold: 1 } } })
  const moves = []
  for (let index = 0; index < 3; index++) {
    const { taskId } = await update(gateway, await create(gateway), { status: 'blocked', operatorAuthorized: true })
    moves.push(await move(gateway, taskId, 'pending'))
  }
  assert.equal((await putBack(gateway, moves[0], AUTOMATED)).task.status, 'blocked')
  await assert.rejects(putBack(gateway, moves[1], AUTOMATED), { code: 'BULK_BLOCK_GUARD' })
  for (const moved of moves.slice(1)) assert.equal((await putBack(gateway, moved)).task.status, 'blocked')
})
