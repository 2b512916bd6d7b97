import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { active, approve, claim, get, plan, setBudget, shown, start, stop, update } from './support.ts'

test('a child is shown with its title, agent, priority, upstreams, holder and pull request', async () => {
  await using gateway = await start()
  const children = [
    { title: 'first', assignedAgent: 'keeper', priority: 'P1' },
    { title: 'second', dependsOnIndexes: [0] },
  ]
  const { swarm } = await active(gateway, { children })
  const task = await claim(gateway)
  await update(gateway, task.taskId, { prUrl: 'https://example.org/1' })
  const [first, second] = (await get(gateway, swarm)).children
  assert.deepEqual(first, {
    taskId: task.taskId,
    title: 'first',
    status: 'working',
    displayStatus: 'running',
    agent: 'keeper',
    priority: 'P1',
    dependsOn: [],
    claimedBy: 'ada',
    prUrl: 'https://example.org/1',
  })
  assert.deepEqual([second?.displayStatus, second?.dependsOn, second?.priority], ['pending', [task.taskId], 'P2'])
})

test('an active swarm is done with the last of its children that is done or in review, and reading changes nothing', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await get(gateway, swarm)).swarm.status, 'active')
  gateway.clock.advance(60)
  await update(gateway, children[1]?.taskId, { status: 'review' })
  assert.equal((await gateway.call('swarm_list')).swarms[0].status, 'done')
  const read = await get(gateway, swarm)
  assert.deepEqual([read.swarm.status, read.swarm.completedAt, shown(read)], ['done', '2026-01-05T09:01:00.000Z', ['done', 'done']])
  gateway.clock.advance(60)
  const all = await Promise.all(Array.from({ length: 20 }, () => get(gateway, swarm)))
  for (const one of all) assert.deepEqual(one, read)
})

test('two children that end at once make their swarm done', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'a' }, { title: 'b' }] })
  await Promise.all(children.map(({ taskId }) => update(gateway, taskId, { status: 'review' })))
  const [listed] = (await gateway.call('swarm_list')).swarms
  assert.deepEqual([listed.swarmId, listed.status], [swarm.swarmId, 'done'])
})

test('a swarm from which the last open child was deleted is done once it is read', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  await gateway.call('tasks_delete', { taskId: children[1]?.taskId })
  assert.equal((await get(gateway, swarm)).swarm.status, 'done')
})

test('a child that is sent back from review makes its swarm active again, which can be stopped', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'a' }, { title: 'b' }] })
  for (const { taskId } of children) await update(gateway, taskId, { status: 'review' })
  for (const { taskId } of children) await update(gateway, taskId, { status: 'pending' })
  const again = await get(gateway, swarm)
  assert.deepEqual([again.swarm.status, again.swarm.completedAt, shown(again)], ['active', undefined, ['pending', 'pending']])
  assert.equal((await stop(gateway, swarm)).paused, 2)
  assert.equal(await claim(gateway), undefined)
})

test('the budget of a swarm holds again when a child is sent back', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'a' }, { title: 'b' }] })
  const [first, second] = children
  await update(gateway, first?.taskId, { status: 'review' })
  await update(gateway, second?.taskId, { status: 'review', outputTokens: 60 })
  await setBudget(gateway, swarm, 50)
  assert.equal((await get(gateway, swarm)).swarm.status, 'done')
  assert.equal((await update(gateway, first?.taskId, { status: 'pending' })).status, 'paused')
  const { swarm: after } = await get(gateway, swarm)
  assert.deepEqual([after.status, after.pausedBy], ['paused', 'budget'])
  await setBudget(gateway, swarm, 100)
  assert.equal((await approve(gateway, swarm)).approved, 1)
})

test('a child that comes back from the trash makes its swarm active again', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [{ title: 'a' }, { title: 'b' }] })
  await gateway.call('tasks_delete', { taskId: children[0]?.taskId })
  await update(gateway, children[1]?.taskId, { status: 'done' })
  assert.equal((await get(gateway, swarm)).swarm.status, 'done')
  await gateway.call('tasks_restore', { taskId: children[0]?.taskId })
  assert.equal((await get(gateway, swarm)).swarm.status, 'active')
})

test('a blocked child keeps its swarm from being done, and so does an approval that is wanting', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { status: 'blocked', operatorAuthorized: true })
  await update(gateway, children[1]?.taskId, { status: 'done' })
  assert.equal((await get(gateway, swarm)).swarm.status, 'active')
  const other = await plan(gateway, { children: [{ title: 'only' }] })
  await update(gateway, other.children[0]?.taskId, { status: 'done' })
  assert.equal((await get(gateway, other.swarm)).swarm.status, 'paused')
})

test('what nobody approved does not become claimable by an update of the task alone', async () => {
  await using gateway = await start()
  const { children } = await plan(gateway)
  assert.equal((await update(gateway, children[0]?.taskId, { status: 'pending' })).status, 'paused')
  assert.equal(await claim(gateway), undefined)
})

test('a child in the trash is not shown, and comes back with its restoring', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  const { taskId } = children[1] ?? {}
  await gateway.call('tasks_delete', { taskId })
  assert.equal((await get(gateway, swarm)).children.length, 1)
  await gateway.call('tasks_restore', { taskId })
  assert.equal((await get(gateway, swarm)).children.length, 2)
})

test('an unknown swarm is an error', async () => {
  await using gateway = await start()
  await assert.rejects(get(gateway, { swarmId: 'swarm-0' }), refusal('NOT_FOUND'))
})
