import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import budgets from '../src/index.ts'
import { pay, spender, start, type TestGateway } from './support.ts'

const plugins = [trash, tasks, mailbox, swarms, budgets, spender]
const startWith = (caps: object): Promise<TestGateway> => start(caps, { plugins })

interface Planned {
  readonly swarmId: string
  readonly children: readonly [string, string]
}
async function planSwarm(gateway: TestGateway): Promise<Planned> {
  const asked = { repo: 'web', goal: 'Ship it', children: [{ title: 'first' }, { title: 'second' }] }
  const { swarm, children } = await gateway.call('swarm_plan', asked)
  return { swarmId: swarm.swarmId, children: children.map(({ taskId }: { taskId: string }) => taskId) }
}
const refused = (call: Promise<void>, cap: string): Promise<void> =>
  assert.rejects(call, ({ code, details }: { code: string; details: { cap: string } }) => {
    assert.deepEqual([code, details.cap], ['BUDGET_EXCEEDED', cap])
    return true
  })

test('a cap of each task and one of each swarm refuse calls for them, and others go on', async () => {
  await using gateway = await startWith({ tasks: { '*': { dailyCapUsd: 2 } }, swarms: { '*': { monthlyCapUsd: 3 } } })
  const { swarmId, children } = await planSwarm(gateway)
  const [one, other] = children
  const alone = (await gateway.call('tasks_create', { repo: 'web', title: 'Alone' })).task.taskId
  await pay(gateway, { taskId: one, costUsd: 2 })
  await refused(pay(gateway, { taskId: one }), `tasks.*.dailyCapUsd of ${one}`)
  await pay(gateway, { taskId: other, costUsd: 1 })
  await refused(pay(gateway, { taskId: other }), `swarms.*.monthlyCapUsd of ${swarmId}`)
  await pay(gateway, { taskId: alone, costUsd: 1.5 })
  await pay(gateway, {})
})

test('an entry of its own replaces that of each, and counts what was spent before it', async () => {
  await using gateway = await startWith({ swarms: { '*': { monthlyCapUsd: 1 }, rich: { monthlyCapUsd: 9 } } })
  const { swarmId, children } = await planSwarm(gateway)
  await pay(gateway, { taskId: children[0], costUsd: 1 })
  await refused(pay(gateway, { taskId: children[1] }), `swarms.*.monthlyCapUsd of ${swarmId}`)
  const { caps } = await gateway.call('budgets_status')
  assert.deepEqual(
    caps.map(({ cap, spentUsd, state }: Record<string, unknown>) => [cap, spentUsd, state]),
    [
      ['swarms.rich.monthlyCapUsd', 0, 'ok'],
      [`swarms.*.monthlyCapUsd of ${swarmId}`, 1, 'exceeded'],
    ],
  )
})

test('what a task and a swarm cost is listed, also for a day that is not over, and for reported usage', async () => {
  await using gateway = await startWith({})
  const { swarmId, children } = await planSwarm(gateway)
  await pay(gateway, { taskId: children[0], costUsd: 2 })
  const report = { model: 'big', usd: 1, taskId: children[1] }
  assert.equal((await gateway.inject({ method: 'POST', url: '/api/budgets/report', body: report })).status, 201)
  const costs = (parts: Record<string, unknown>[], of: string) => parts.map((part) => [part[of], part.costUsd])
  const until = new Date(gateway.clock.now() + 1_000).toISOString()
  for (const asked of [{}, { to: until }]) {
    const { byTask, bySwarm } = await gateway.call('budgets_breakdown', asked)
    assert.deepEqual(costs(byTask, 'task'), [
      [children[0], 2],
      [children[1], 1],
    ])
    assert.deepEqual(costs(bySwarm, 'swarm'), [[swarmId, 3]])
  }
})

test('a task that the queue does not have is kept with the call and gets no meter', async () => {
  await using gateway = await startWith({ tasks: { '*': { dailyCapUsd: 1 } } })
  for (const taskId of ['task-none', 'task-other']) await pay(gateway, { taskId, costUsd: 1 })
  const documents = await gateway.documents()
  const meters = documents['budgets.meters'] as readonly { meterId: string }[]
  assert.deepEqual(
    meters.filter(({ meterId }) => meterId.startsWith('task')),
    [],
  )
  assert.equal((await gateway.call('budgets_status')).caps, undefined)
})

test('caps of tasks and swarms by name are suggested like others', async () => {
  await using gateway = await startWith({
    tasks: { 'task-1': { monthlyCapUsd: 1 }, '*': { monthlyCapUsd: 1 } },
    swarms: { s: { dailyCapUsd: 1 } },
  })
  const { suggestions } = await gateway.call('budgets_suggestions')
  const caps = suggestions.map(({ cap }: { cap: string }) => cap)
  assert.deepEqual(caps, ['monthlyCapUsd', 'dailyCapUsd', 'tasks.task-1.monthlyCapUsd', 'swarms.s.dailyCapUsd'])
})
