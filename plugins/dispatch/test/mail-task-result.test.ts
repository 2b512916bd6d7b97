import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { ask, convert, create, get, mail, reply, start } from './support.ts'

async function asked() {
  const gateway = await start()
  const request = await ask(gateway, { to: 'hub/web' })
  const { claimed } = await convert(gateway, { address: 'hub/web' })
  return { gateway, request, taskId: claimed[0].taskId as string }
}

test('the requester has a reply of kind result, with the outcome, the summary and the links', async () => {
  const { gateway, request, taskId } = await asked()
  await using _ = gateway
  const answer = await reply(gateway, taskId, { summary: 'It works again.', links: ['https://example.org/1'] })
  const [message] = await mail(gateway, 'ada')
  assert.deepEqual(answer, { sent: true, messageId: message?.messageId, to: 'ada' })
  const { kind, from, replyTo, subject, body } = message ?? {}
  assert.deepEqual([kind, from, replyTo, subject], ['result', 'hub/web', request.messageId, 'done: Fix it'])
  assert.equal(body, `Task ${taskId}: done.\nIt works again.\n- https://example.org/1`)
})

test('a failure is told as one, from whoever says so', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  await reply(gateway, taskId, { outcome: 'failed', from: 'Worker-1' })
  const [message] = await mail(gateway, 'ada')
  assert.deepEqual([message?.from, message?.subject, message?.body], ['worker-1', 'failed: Fix it', `Task ${taskId}: failed.`])
})

test('for a task that did not come from mail nothing is sent', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, { sourceId: 'ticket-7' })
  await gateway.call('tasks_update', { taskId, status: 'review' })
  assert.deepEqual(await reply(gateway, taskId), { sent: false })
  assert.deepEqual(await reply(gateway, taskId, { taskNotes: 'Requested by ada in mail-1.' }), { sent: false })
  assert.equal((await get(gateway, taskId)).status, 'review', 'it waits for its reviewer')
  assert.deepEqual(await reply(gateway, 'task-0'), { sent: false })
  assert.deepEqual(await reply(gateway, 'task-0', { taskNotes: 'Requested by ada in mail-1.' }), { sent: false })
})

test('for a task that is gone its notes say who asked', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  const { notes } = await get(gateway, taskId)
  await gateway.call('tasks_update', { taskId, status: 'done' })
  await gateway.call('tasks_delete', { taskId })
  assert.deepEqual(await reply(gateway, taskId), { sent: false })
  assert.equal((await reply(gateway, taskId, { taskNotes: `${notes}\nAnd more.` })).sent, true)
  assert.equal((await mail(gateway, 'ada')).length, 1)
})

test('what is wrong with an argument is said with its name, and nothing is sent', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  for (const [args, field] of [
    [{ outcome: 'open' }, 'outcome'],
    [{ outcome: undefined }, 'outcome'],
    [{ links: 'x' }, 'links'],
    [{ from: 'a b' }, 'from'],
  ] as const) {
    await assert.rejects(reply(gateway, taskId, args), refusal('BAD_REQUEST', field))
  }
  assert.deepEqual(await mail(gateway, 'ada'), [])
  assert.equal((await get(gateway, taskId)).status, 'working')
})

test('done completes the task, so that nobody does it again', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  await reply(gateway, taskId)
  assert.equal((await get(gateway, taskId)).status, 'done')
  gateway.clock.advance(2 * 3_600)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, taskId)).status, 'done')
  assert.deepEqual(
    (await gateway.audit()).filter(({ tool }) => tool === 'tasks_update').map(({ decision }) => decision),
    ['ok'],
  )
})

test('failed goes through the rules of tasks_fail: the task is retried after a backoff, with the summary as its error', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  await reply(gateway, taskId, { outcome: 'failed', summary: 'No network.' })
  const { status, retryCount, lastError, nextRetryAt } = await get(gateway, taskId)
  assert.deepEqual([status, retryCount, lastError], ['pending', 1, 'No network.'])
  assert.ok(nextRetryAt)
})

test('a task that has ended before keeps its end, whatever is answered', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  await gateway.call('tasks_update', { taskId, status: 'blocked' })
  for (const outcome of ['done', 'failed']) assert.equal((await reply(gateway, taskId, { outcome })).sent, true)
  assert.equal((await get(gateway, taskId)).status, 'blocked')
})

test('a worker that lost its lease and quotes its claim does not end the work of its successor', async () => {
  const gateway = await start()
  await using _ = gateway
  await ask(gateway, { to: 'hub/web' })
  const { claimed } = await convert(gateway, { address: 'hub/web' })
  const { taskId, claimId } = claimed[0]
  gateway.clock.advance(2 * 3_600)
  await gateway.runJob('tasks.lease-reap')
  gateway.clock.advance(3_600)
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'eve', taskId })
  for (const outcome of ['done', 'failed'])
    await assert.rejects(reply(gateway, taskId, { outcome, claimId }), { code: 'CONFLICT' }, outcome)
  assert.deepEqual([(await get(gateway, taskId)).status, await mail(gateway, 'ada')], ['working', []])
  assert.equal((await reply(gateway, taskId, { claimId: task.claimId })).sent, true)
  assert.equal((await get(gateway, taskId)).status, 'done')
})

test('a worker need not quote its claim', async () => {
  for (const quotes of [false, true]) {
    await using gateway = await start()
    await ask(gateway, { to: 'hub/web' })
    const { claimed } = await convert(gateway, { address: 'hub/web' })
    gateway.clock.advance(60)
    const { taskId, claimId } = claimed[0]
    await gateway.call('tasks_update', { taskId, claimId, status: 'working', notes: 'Half of it.' })
    assert.equal((await reply(gateway, taskId, quotes ? { claimId } : {})).sent, true)
    assert.equal((await get(gateway, taskId)).status, 'done')
  }
})

test('a repeated report sends no second mail: it returns the first, and another outcome or another try of the task is told anew', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  const { claimId } = await get(gateway, taskId)
  const failed = { outcome: 'failed', summary: 'The build broke.' }
  const first = await reply(gateway, taskId, { ...failed, claimId })
  assert.deepEqual(await reply(gateway, taskId, { ...failed, claimId }), first)
  const again = async () => {
    gateway.clock.advance(86_400)
    const { task } = await gateway.call('tasks_claim', { claimedBy: 'worker', taskId })
    assert.equal(task.taskId, taskId)
  }
  await again()
  const second = await reply(gateway, taskId, failed)
  assert.deepEqual(await reply(gateway, taskId, failed), second)
  await again()
  const [done, ...repeated] = [await reply(gateway, taskId), await reply(gateway, taskId), await reply(gateway, taskId)]
  assert.deepEqual(repeated, [done, done])
  const sent = [first, second, done].map(({ messageId }) => messageId)
  assert.deepEqual((await mail(gateway, 'ada')).map(({ messageId }) => messageId).sort(), sent.sort())
})

test('a report about a task that its worker has ended itself is told, unless it is the same letter about the same try', async () => {
  const { gateway, taskId } = await asked()
  await using _ = gateway
  const end = () => gateway.call('tasks_update', { taskId, status: 'done' })
  const again = async () => {
    gateway.clock.advance(60)
    await gateway.call('tasks_update', { taskId, status: 'pending' })
    await gateway.call('tasks_claim', { claimedBy: 'worker', taskId })
    gateway.clock.advance(60)
    await end()
  }
  await end()
  const first = await reply(gateway, taskId, { summary: 'first' })
  assert.deepEqual(await reply(gateway, taskId, { summary: 'first' }), first)
  const corrected = await reply(gateway, taskId, { summary: 'corrected' })
  await again()
  const second = await reply(gateway, taskId, { summary: 'corrected' })
  await again()
  const third = await reply(gateway, taskId, { summary: 'third' })
  assert.deepEqual(await reply(gateway, taskId, { summary: 'third' }), third)
  const { notes } = await get(gateway, taskId)
  await gateway.call('tasks_delete', { taskId })
  assert.deepEqual(await reply(gateway, taskId, { summary: 'third', taskNotes: notes }), third)
  const sent = [first, corrected, second, third].map(({ messageId }) => messageId)
  assert.deepEqual((await mail(gateway, 'ada')).map(({ messageId }) => messageId).sort(), sent.sort())
})
