import assert from 'node:assert/strict'
import { test } from 'node:test'
import runners from '@gateway/plugin-runners'
import { create, mail, start, type TestGateway } from './support.ts'

const cycle = async (gateway: TestGateway, args: object = {}) => (await gateway.call('dispatch_cycle', args)).dispatched
const update = (gateway: TestGateway, taskId: string, change: object) => gateway.call('tasks_update', { taskId, ...change })
const offered = async () => {
  const gateway = await start({ config: { dispatch: { reofferMinutes: 30 } } })
  const { taskId } = await create(gateway, { title: 'a' })
  await cycle(gateway)
  assert.equal((await mail(gateway, 'web')).length, 1)
  return { gateway, taskId }
}

test('an offer is withdrawn when its task is claimed, ended or deleted', async () => {
  const ends = {
    claimed: (gateway: TestGateway) => gateway.call('tasks_claim', { claimedBy: 'ada' }),
    ended: (gateway: TestGateway, taskId: string) => update(gateway, taskId, { status: 'done' }),
    deleted: (gateway: TestGateway, taskId: string) => gateway.call('tasks_delete', { taskId }),
  }
  for (const [how, end] of Object.entries(ends)) {
    const { gateway, taskId } = await offered()
    await using _ = gateway
    await end(gateway, taskId)
    assert.deepEqual(await mail(gateway, 'web'), [], how)
  }
})

test('a task that came back to the queue is offered anew', async () => {
  const { gateway, taskId } = await offered()
  await using _ = gateway
  await gateway.call('tasks_claim', { claimedBy: 'ada' })
  await update(gateway, taskId, { status: 'pending' })
  assert.deepEqual(
    (await cycle(gateway)).map((one: { taskId: string }) => one.taskId),
    [taskId],
  )
})

test('offering a task again replaces the former mail, unless somebody has acked it', async () => {
  const { gateway } = await offered()
  await using _ = gateway
  gateway.clock.advance(30 * 60)
  const [again] = await cycle(gateway)
  const [only, ...others] = await mail(gateway, 'web')
  assert.deepEqual([only?.messageId, others], [again.messageId, []])
  await gateway.call('mail_ack', { id: again.messageId })
  gateway.clock.advance(30 * 60)
  await cycle(gateway)
  assert.deepEqual(
    (await mail(gateway, 'web')).map(({ acked }) => acked),
    [false, true],
  )
})

test('a live runner gets offers at the address that it registered', async () => {
  await using gateway = await start({ plugins: [runners] })
  await gateway.call('runner_heartbeat', { machine: 'm2', address: 'm2/lane-a', capabilities: ['backend-engineer', 'api'] })
  await create(gateway, { title: 'agent’s', assignedAgent: 'backend-engineer', priority: 'P0' })
  await create(gateway, { title: 'repo’s', repo: 'api', priority: 'P1' })
  await create(gateway, { title: 'anyone’s', priority: 'P2' })
  await create(gateway, { title: 'named', assignedAgent: 'm2', priority: 'P3' })
  await create(gateway, { title: 'other agent’s', assignedAgent: 'Keeper', priority: 'P3' })
  const to = async () => (await cycle(gateway, { maxTasks: 9 })).map((one: { to: string }) => one.to)
  assert.deepEqual(await to(), ['m2/lane-a', 'm2/lane-a', 'm2/lane-a', 'm2/lane-a', 'keeper'])
  // It is no longer alive.
  gateway.clock.advance(3_600)
  assert.deepEqual((await to()).sort(), ['api', 'backend-engineer', 'keeper', 'm2', 'web'])
  assert.equal((await mail(gateway, 'm2/lane-a')).length, 0)
})

test('a swarm that is stopped tells its workers at the addresses of their runners', async () => {
  await using gateway = await start({ plugins: [runners] })
  await gateway.call('runner_heartbeat', { machine: 'm2', address: 'm2/inbox' })
  const { swarm } = await gateway.call('swarm_plan', { repo: 'web', goal: 'x', children: [{ title: 'one' }] })
  await gateway.call('swarm_approve', { swarmId: swarm.swarmId })
  await gateway.call('tasks_claim', { claimedBy: 'm2/lane-a/4711' })
  await gateway.call('swarm_stop', { swarmId: swarm.swarmId })
  assert.equal((await mail(gateway, 'm2/inbox')).length, 1)
  assert.deepEqual(await mail(gateway, 'm2/lane-a/4711'), [])
})

test('an offer is withdrawn when its task waits for an upstream again, and the task is offered anew once it is released', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, { title: 'first', assignedAgent: 'ada' })
  const next = await create(gateway, { title: 'second', assignedAgent: 'bob', dependsOn: [taskId] })
  await gateway.call('tasks_update', { taskId, status: 'done' })
  const ids = async () => (await gateway.call('dispatch_cycle')).dispatched.map((one: { taskId: string }) => one.taskId)
  assert.deepEqual(await ids(), [next.taskId])
  await gateway.call('tasks_update', { taskId, status: 'working' })
  assert.deepEqual(await mail(gateway, 'bob'), [])
  await gateway.call('tasks_update', { taskId, status: 'done' })
  assert.deepEqual(await ids(), [next.taskId])
  assert.equal((await mail(gateway, 'bob')).length, 1)
})
