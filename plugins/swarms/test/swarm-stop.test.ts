import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { active, approve, claim, get, mail, plan, shown, start, statuses, stop, update } from './support.ts'

const three = [{ title: 'a' }, { title: 'b' }, { title: 'c' }]

test('an active swarm is stopped: its pending and working children are paused, the finished ones are left', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [...three, { title: 'd' }, { title: 'e' }] })
  await claim(gateway)
  await update(gateway, children[1]?.taskId, { status: 'done' })
  await update(gateway, children[2]?.taskId, { status: 'review' })
  await update(gateway, children[3]?.taskId, { status: 'blocked', operatorAuthorized: true })
  gateway.clock.advance(60)
  const answer = await stop(gateway, swarm, { stoppedBy: 'Grace', reason: 'wrong way' })
  assert.equal(answer.paused, 2)
  assert.deepEqual(statuses(answer), ['paused', 'done', 'review', 'blocked', 'paused'])
  assert.deepEqual(shown(answer), ['paused', 'done', 'done', 'blocked', 'paused'])
  const { status, stoppedBy, stoppedAt, stopReason } = answer.swarm
  assert.deepEqual([status, stoppedBy, stoppedAt, stopReason], ['stopped', 'Grace', '2026-01-05T09:01:00.000Z', 'wrong way'])
  assert.equal(await claim(gateway), undefined)
})

test('stoppedBy omitted means the label of the key, or operator', async () => {
  await using gateway = await start()
  for (const [as, stoppedBy] of [
    [{ kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' }, 'm2/agent-5'],
    [{ kind: 'user', id: 'ann', role: 'member' }, 'operator'],
  ] as const) {
    const { swarm } = await active(gateway)
    assert.equal((await gateway.call('swarm_stop', { swarmId: swarm.swarmId }, { as })).swarm.stoppedBy, stoppedBy)
  }
  assert.equal((await stop(gateway, (await active(gateway)).swarm)).swarm.stoppedBy, 'operator')
})

test('its creator and everyone who works or has worked on a child have mail that stays, each once', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway, { createdBy: 'director', children: three })
  const first = await claim(gateway, { claimedBy: 'Worker-1' })
  await claim(gateway, { claimedBy: 'worker-2' })
  await claim(gateway, { claimedBy: 'Runner No. 3' })
  await update(gateway, first.taskId, { status: 'done' })
  const { mailed, paused } = await stop(gateway, swarm, { reason: 'wrong way' })
  assert.deepEqual([paused, mailed], [2, 3])
  await gateway.restart()
  for (const to of ['director', 'worker-1', 'worker-2']) {
    const [message, ...more] = await mail(gateway, to)
    assert.deepEqual([message?.kind, message?.swarmId, message?.from, more.length], ['swarm', swarm.swarmId, 'operator', 0])
    assert.match(message?.body ?? '', /operator has stopped “Ship it”: wrong way/)
  }
})

test('a session under way is not killed: it may still end its work, and is fenced off once the task is claimable again', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway, { children: three })
  const [first, second] = [await claim(gateway), await claim(gateway)]
  await stop(gateway, swarm)
  const ended = await update(gateway, first.taskId, { claimId: first.claimId, status: 'done', outputTokens: 5 })
  assert.equal(ended.status, 'done')
  assert.equal((await get(gateway, swarm)).swarm.tokensSpent, 5)
  await approve(gateway, swarm)
  await assert.rejects(update(gateway, second.taskId, { claimId: second.claimId, status: 'done' }), refusal('CONFLICT', 'claimId'))
})

test('a session under way does not take its paused child up again: without a lease nobody would notice its end', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway, { children: [{ title: 'only' }] })
  const { taskId, claimId } = await claim(gateway)
  await stop(gateway, swarm)
  for (const leaseSeconds of [undefined, 60])
    await assert.rejects(update(gateway, taskId, { claimId, status: 'working', leaseSeconds }), { code: 'CONFLICT' })
  const { tasks } = await gateway.call('tasks_list')
  assert.deepEqual([tasks[0].status, tasks[0].leaseUntil], ['paused', undefined])
})

test('what a worker gives back to a stopped swarm is paused, not claimable', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway, { children: [{ title: 'only' }] })
  const task = await claim(gateway)
  await stop(gateway, swarm)
  const given = await update(gateway, task.taskId, { claimId: task.claimId, status: 'pending', pacingDefer: true })
  assert.equal(given.status, 'paused')
  assert.equal(await claim(gateway), undefined)
})

test('a child that comes back from the trash into a stopped swarm is paused, and goes on with its approval', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: three })
  const taskId = children[0]?.taskId
  await gateway.call('tasks_delete', { taskId })
  await stop(gateway, swarm)
  assert.equal((await gateway.call('tasks_restore', { taskId })).task.status, 'paused')
  assert.equal(await claim(gateway), undefined)
  const answer = await approve(gateway, swarm)
  assert.deepEqual([answer.approved, statuses(answer)], [3, ['pending', 'pending', 'pending']])
})

test('a child that comes back into an active swarm is claimable at once', async () => {
  await using gateway = await start()
  const { children } = await active(gateway, { children: [{ title: 'only' }] })
  const taskId = children[0]?.taskId
  await gateway.call('tasks_delete', { taskId })
  assert.equal((await gateway.call('tasks_restore', { taskId })).task.status, 'pending')
  assert.equal((await claim(gateway)).taskId, taskId)
})

test('one that waits for its approval is stopped as well; stopping again changes nothing and mails nobody', async () => {
  await using gateway = await start()
  const { swarm } = await plan(gateway)
  const first = await stop(gateway, swarm, { stoppedBy: 'grace' })
  assert.deepEqual([first.swarm.status, first.paused, first.mailed], ['stopped', 0, 1])
  gateway.clock.advance(60)
  const again = await stop(gateway, swarm, { stoppedBy: 'eve', reason: 'too' })
  assert.deepEqual(again, { ...first, mailed: 0 })
  assert.equal((await mail(gateway, 'director')).length, 1)
})

test('a second stop without a reason keeps none of the first', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway)
  await stop(gateway, swarm, { reason: 'wrong way' })
  await approve(gateway, swarm)
  assert.equal((await stop(gateway, swarm)).swarm.stopReason, undefined)
})

test('one that is done stays done', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'only' }] })
  await update(gateway, children[0]?.taskId, { status: 'done' })
  await get(gateway, swarm)
  const { swarm: after, paused, mailed } = await stop(gateway, swarm)
  assert.deepEqual([after.status, paused, mailed], ['done', 0, 0])
})

test('an unknown swarm is an error', async () => {
  await using gateway = await start()
  await assert.rejects(stop(gateway, { swarmId: 'swarm-0' }), refusal('NOT_FOUND'))
})
