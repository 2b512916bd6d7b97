import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { active, claim, get, plan, shown, start, update } from './support.ts'

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

test('an active swarm whose children are all done or in review is done once it is read, and reading again changes nothing', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { status: 'done' })
  assert.equal((await get(gateway, swarm)).swarm.status, 'active')
  await update(gateway, children[1]?.taskId, { status: 'review' })
  gateway.clock.advance(60)
  assert.equal((await gateway.call('swarm_list')).swarms[0].status, 'active')
  const read = await get(gateway, swarm)
  assert.deepEqual([read.swarm.status, read.swarm.completedAt, shown(read)], ['done', '2026-01-05T09:01:00.000Z', ['done', 'done']])
  gateway.clock.advance(60)
  const all = await Promise.all(Array.from({ length: 20 }, () => get(gateway, swarm)))
  for (const one of all) assert.deepEqual(one, read)
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
