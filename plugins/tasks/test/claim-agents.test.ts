import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needs } from '@gateway/testing'
import { claim, create, start, type TestGateway, update } from './support.ts'

const next = async (gateway: TestGateway, args: object) => (await gateway.call('tasks_next', args)).task?.title

test('assignedAgents narrows a claim to tasks of these agents and of nobody, and unassigned: false to these agents', async () => {
  await using gateway = await start()
  await create(gateway, { title: 'other', assignedAgent: 'reviewer', priority: 'P0' })
  await create(gateway, { title: 'free', priority: 'P1' })
  await create(gateway, { title: 'mine', assignedAgent: 'engineer', priority: 'P2' })
  assert.equal(await next(gateway, {}), 'other')
  assert.equal(await next(gateway, { assignedAgents: ['engineer'] }), 'free')
  assert.equal(await next(gateway, { assignedAgents: ['engineer'], unassigned: false }), 'mine')
  assert.equal(await next(gateway, { assignedAgents: ['engineer', 'reviewer'] }), 'other')
  assert.equal(await next(gateway, { assignedAgents: [] }), 'free')
  assert.equal(await next(gateway, { assignedAgents: [], unassigned: false }), undefined)
  assert.equal((await claim(gateway, { assignedAgents: ['engineer'], unassigned: false }))?.title, 'mine')
  assert.equal((await claim(gateway, { assignedAgents: ['engineer'] }))?.title, 'free')
  assert.equal(await claim(gateway, { assignedAgents: ['engineer'] }), undefined)
  assert.equal((await claim(gateway))?.title, 'other')
})

test('assignedAgents holds for a task claimed by its id', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, { assignedAgent: 'reviewer' })
  const refused = await gateway.call('tasks_claim', { claimedBy: 'ada', taskId, assignedAgents: ['engineer'] })
  assert.match(refused.reason, /excluded by .*assignedAgents/)
  assert.equal((await claim(gateway, { taskId, assignedAgents: ['reviewer'] }))?.taskId, taskId)
})

test('tasks of other agents are passed however many stand in front, in order over repos and models', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 70 }, (_, i) => ({
    action: 'create',
    repo: `repo-${i}`,
    title: 'x',
    priority: 'P0',
    assignedAgent: `agent-${i % 5}`,
  }))
  await gateway.call('tasks_bulk', { operations })
  for (const [title, priority, draft] of [
    ['b', 'P2', { repo: 'web', assignedAgent: 'engineer', recommendedModel: 'local/m @1' }],
    ['a', 'P1', { repo: 'api' }],
    ['c', 'P3', { repo: 'repo-1', assignedAgent: 'engineer' }],
  ] as const) {
    await create(gateway, { title, priority, ...draft })
  }
  const drain = async (request: object): Promise<(string | undefined)[]> => {
    const claimed = []
    for (let task = await claim(gateway, request); task; task = await claim(gateway, request)) {
      claimed.push(task)
    }
    for (const task of claimed) await update(gateway, task, { status: 'pending' })
    return claimed.map(({ title }) => title)
  }
  assert.deepEqual(await drain({ assignedAgents: ['engineer'] }), ['a', 'b', 'c'])
  assert.deepEqual(await drain({ assignedAgents: ['engineer'], localModels: [] }), ['a', 'c'])
  assert.deepEqual(await drain({ assignedAgents: ['engineer'], localModels: ['m @1'], unassigned: false }), ['b', 'c'])
  assert.deepEqual(await drain({ assignedAgents: ['engineer'], repo: 'repo-1' }), ['c'])
  assert.deepEqual(await drain({ assignedAgents: ['engineer'], ignoreRepos: ['web'] }), ['a', 'c'])
})

test('a task that is assigned anew is for its new agent, also if it was delayed meanwhile', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway, { assignedAgent: 'engineer' }), { status: 'pending', deferSeconds: 60 })
  await update(gateway, task, { assignedAgent: 'reviewer' })
  gateway.clock.advance(60)
  const only = (agent: string) => ({ assignedAgents: [agent], unassigned: false })
  assert.equal(await claim(gateway, only('engineer')), undefined)
  await update(gateway, task, { assignedAgent: '' })
  assert.equal(await claim(gateway, only('reviewer')), undefined)
  assert.equal((await claim(gateway, { assignedAgents: [] }))?.taskId, task.taskId)
})
