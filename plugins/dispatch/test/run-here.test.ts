import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { type BudgetState, dispatchBudget } from '../src/api.ts'
import { agentHere, slowAgent, stamps } from './here.ts'
import { create, get, mail, start, type TestGateway } from './support.ts'

/** A turn of the gateway, once the newest tasks have settled. */
const turn = (gateway: TestGateway) => {
  gateway.clock.advance(10)
  return gateway.runJob('dispatch.here')
}
const statuses = (gateway: TestGateway, tasks: readonly { taskId: string }[]) =>
  Promise.all(tasks.map(async ({ taskId }) => (await get(gateway, taskId)).status))
const cycles = async (gateway: TestGateway) => (await gateway.audit()).filter(({ tool }) => tool === 'dispatch_here')

test('ready tasks of agents that run here are executed without a call of anybody, and no other is touched', async () => {
  await using gateway = await start({ plugins: [agentHere()] })
  const first = await create(gateway, { title: 'first', assignedAgent: 'summarizer', priority: 'P0' })
  const others = [await create(gateway), await create(gateway, { assignedAgent: 'engineer' })]
  const next = await create(gateway, { dependsOn: [first.taskId], assignedAgent: 'summarizer', repo: 'No 5' })
  await turn(gateway)
  await turn(gateway)
  assert.deepEqual(await statuses(gateway, [first, next, ...others]), ['done', 'done', 'pending', 'pending'])
  assert.deepEqual(await mail(gateway, 'web'), [])
  const [{ principal }] = (await cycles(gateway)) as unknown as [{ principal: { id: string; role: string } }]
  assert.deepEqual([principal.id, principal.role], ['dispatch', 'member'])
})

test('a turn executes a few tasks, also those that were offered before, and the next one goes on', async () => {
  let isHere = false
  const later = agentHere({ agents: async () => (isHere ? ['summarizer'] : []), plan: async () => (isHere ? stamps : undefined) })
  await using gateway = await start({ plugins: [later] })
  const tasks = []
  for (let i = 0; i < 6; i++) tasks.push(await create(gateway, { assignedAgent: 'summarizer' }))
  await gateway.call('dispatch_cycle', { maxTasks: 6 })
  isHere = true
  await turn(gateway)
  assert.equal((await statuses(gateway, tasks)).filter((status) => status === 'done').length, 5)
  await turn(gateway)
  assert.ok((await statuses(gateway, tasks)).every((status) => status === 'done'))
  assert.deepEqual(await mail(gateway, 'summarizer'), [])
})

test('tasks wait while a budget is used up or no provider takes calls, and a held back queue is left alone for half a minute', async () => {
  let state: BudgetState = { spentTodayUsd: 0, exhausted: 'The month’s budget is used up.' }
  let asked = 0
  const check = async () => {
    asked++
    return state
  }
  const budget = definePlugin({
    id: 'test-budget',
    sdk: '^1.0.0',
    description: 'Keeps a budget.',
    contributes: [contribute(dispatchBudget, { create: () => ({ check }) })],
  })
  let isOpen = false
  await using gateway = await start({ plugins: [budget, agentHere({ plan: async () => (isOpen ? stamps : 'later') })] })
  await turn(gateway)
  assert.equal(asked, 0)
  const task = await create(gateway, { assignedAgent: 'summarizer' })
  await turn(gateway)
  await turn(gateway)
  assert.equal(asked, 1)
  state = { spentTodayUsd: 0 }
  gateway.clock.advance(31)
  await turn(gateway)
  isOpen = true
  await turn(gateway)
  assert.deepEqual([await statuses(gateway, [task]), await cycles(gateway)], [['pending'], []])
  gateway.clock.advance(31)
  await turn(gateway)
  assert.deepEqual(await statuses(gateway, [task]), ['done'])
})

test('one turn of a tenant is under way at a time', async () => {
  const agent = slowAgent()
  await using gateway = await start({ plugins: [agent.plugin] })
  const tasks = [await create(gateway, { assignedAgent: 'summarizer' }), await create(gateway, { assignedAgent: 'summarizer' })]
  const begun = agent.begins()
  const first = turn(gateway)
  await begun
  await turn(gateway)
  assert.deepEqual(await statuses(gateway, tasks), ['working', 'pending'])
  const next = agent.begins()
  agent.release()
  await next
  agent.release()
  await first
  assert.deepEqual(await statuses(gateway, tasks), ['done', 'done'])
})

test('a new task is left to its author for ten seconds', async () => {
  await using gateway = await start({ plugins: [agentHere()] })
  const task = await create(gateway, { assignedAgent: 'summarizer' })
  gateway.clock.advance(9)
  await gateway.runJob('dispatch.here')
  assert.deepEqual(await statuses(gateway, [task]), ['pending'])
  gateway.clock.advance(1)
  await gateway.runJob('dispatch.here')
  assert.deepEqual(await statuses(gateway, [task]), ['done'])
})

test('a new task is left to its author also while older ones are executed, and hides none behind it', async () => {
  await using gateway = await start({ plugins: [agentHere()] })
  const old = await create(gateway, { assignedAgent: 'summarizer', priority: 'P2' })
  gateway.clock.advance(10)
  const news = []
  for (let n = 0; n < 50; n++) news.push(await create(gateway, { assignedAgent: 'summarizer', priority: 'P0' }))
  await gateway.runJob('dispatch.here')
  assert.deepEqual([await statuses(gateway, [old]), new Set(await statuses(gateway, news))], [['done'], new Set(['pending'])])
  await gateway.runJob('dispatch.here')
  gateway.clock.advance(10)
  await gateway.runJob('dispatch.here')
  assert.equal((await statuses(gateway, news)).filter((status) => status === 'done').length, 5)
})

test('with runHere off, tasks stay until dispatch_cycle', async () => {
  await using gateway = await start({ plugins: [agentHere()], env: { DISPATCH_RUN_HERE: 'false' } })
  const task = await create(gateway, { assignedAgent: 'summarizer' })
  await turn(gateway)
  assert.deepEqual(await statuses(gateway, [task]), ['pending'])
  await gateway.call('dispatch_cycle')
  assert.deepEqual(await statuses(gateway, [task]), ['done'])
})

test('dispatch_here offers nothing', async () => {
  await using gateway = await start({ plugins: [agentHere()] })
  await create(gateway, { title: 'code', priority: 'P0' })
  await create(gateway, { title: 'brief', assignedAgent: 'summarizer' })
  const { dispatched, waitingForRunner } = await gateway.call('dispatch_here', {})
  assert.deepEqual([dispatched.map(({ title }: { title: string }) => title), waitingForRunner], [['brief'], 1])
  assert.deepEqual(await mail(gateway, 'web'), [])
})
