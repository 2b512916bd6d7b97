import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { active, approve, claim, get, plan, setBudget, start, statuses, stop, update } from './support.ts'

test('an approved swarm is active, and its children are claimable, each after those it waits for', async () => {
  await using gateway = await start()
  const { swarm, children } = await plan(gateway)
  gateway.clock.advance(60)
  const answer = await approve(gateway, swarm, { approvedBy: 'Grace' })
  assert.deepEqual([answer.approved, statuses(answer)], [2, ['pending', 'pending']])
  const { status, approvedBy, approvedAt } = answer.swarm
  assert.deepEqual([status, approvedBy, approvedAt], ['active', 'Grace', '2026-01-05T09:01:00.000Z'])
  assert.equal((await claim(gateway))?.taskId, children[0]?.taskId)
  assert.equal(await claim(gateway), undefined)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await claim(gateway))?.taskId, children[1]?.taskId)
})

test('without approvedBy it is the caller, and the approval stands in the audit trail', async () => {
  await using gateway = await start()
  const { swarm } = await plan(gateway)
  assert.equal((await approve(gateway, swarm)).swarm.approvedBy, 'operator')
  const row = (await gateway.audit()).find(({ name }) => name === 'swarm.approve')
  assert.ok(JSON.stringify(row).includes(swarm.swarmId))
})

test('a stopped swarm goes on: what was paused is pending, what was finished stays so', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  await stop(gateway, swarm)
  const answer = await approve(gateway, swarm)
  assert.deepEqual([answer.approved, answer.swarm.status, statuses(answer)], [1, 'active', ['done', 'pending']])
})

test('one that is active or done is refused, and stays as it is', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'only' }] })
  await assert.rejects(approve(gateway, swarm, { approvedBy: 'eve' }), refusal('CONFLICT', 'swarmId', /is active/))
  await update(gateway, children[0]?.taskId, { status: 'done' })
  await get(gateway, swarm)
  await assert.rejects(approve(gateway, swarm), refusal('CONFLICT', 'swarmId', /is done/))
  assert.equal((await get(gateway, swarm)).swarm.approvedBy, 'operator')
})

test('one that has spent its budget is refused, with the tool that raises it', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await setBudget(gateway, swarm, 100)
  await update(gateway, children[0]?.taskId, { outputTokens: 100 })
  await assert.rejects(approve(gateway, swarm), refusal('SWARM_OVER_BUDGET', undefined, /100 of 100.*swarm_update_budget/))
  const after = await get(gateway, swarm)
  assert.deepEqual([after.swarm.status, statuses(after)], ['paused', ['paused', 'paused']])
})

test('an unknown swarm is an error', async () => {
  await using gateway = await start()
  await assert.rejects(approve(gateway, { swarmId: 'swarm-0' }), refusal('NOT_FOUND'))
})

test('it takes the capability work', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const { swarm } = await plan(gateway)
  const call = (role: 'viewer' | 'member') => gateway.call('swarm_approve', { swarmId: swarm.swarmId }, { as: { kind: 'user', role } })
  await assert.rejects(call('viewer'), refusal('FORBIDDEN'))
  await call('member')
})

test('of many approvals at once one lets the children go', async () => {
  await using gateway = await start()
  const { swarm } = await plan(gateway)
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => approve(gateway, swarm)))
  assert.deepEqual(
    ends.filter(({ status }) => status === 'fulfilled').map((end) => (end as PromiseFulfilledResult<{ approved: number }>).value.approved),
    [2],
  )
})
