import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentHere } from './here.ts'
import { start } from './support.ts'

const here = agentHere()

test('a runner leaves the tasks of agents that run in the gateway, also while it waits, unless it names them', async () => {
  await using gateway = await start({ plugins: [here] })
  const make = async (assignedAgent?: string) =>
    (await gateway.call('tasks_create', { repo: 'web', title: 'A task', ...(assignedAgent && { assignedAgent }) })).task.taskId
  const claim = (args: object = {}) => gateway.call('tasks.claim-for-runner', { claimedBy: 'm1/primary/1', ...args })
  const brief = await make('summarizer')
  assert.equal((await claim()).claimed, false)
  const waiting = claim({ waitSeconds: 20 })
  await make('summarizer')
  const code = await make('engineer')
  assert.equal((await waiting).task.taskId, code)
  const anyones = await make()
  assert.equal((await claim()).task.taskId, anyones)
  assert.equal((await claim({ taskId: brief })).claimed, false)
  assert.equal((await claim({ serves: ['summarizer'] })).task.taskId, brief)
})

test('a task that is pinned to a model the gateway lacks is left to runners, counted as theirs, and found behind any number of others', async () => {
  await using gateway = await start({ plugins: [agentHere({ serves: (model) => model === 'middle', plan: async () => undefined })] })
  const make = async (args: object) =>
    (await gateway.call('tasks_create', { repo: 'web', title: 'A task', assignedAgent: 'summarizer', ...args })).task.taskId
  for (let i = 0; i < 10; i++) await make({ priority: 'P0', ...(i % 2 === 0 && { recommendedModel: 'middle' }) })
  await make({ recommendedModel: 'huge', recommendedModelPreference: true })
  const claim = (args: object = {}) => gateway.call('tasks.claim-for-runner', { claimedBy: 'm1/primary/1', localModels: [], ...args })
  assert.equal((await claim()).claimed, false)
  const waiting = claim({ waitSeconds: 20 })
  const pinned = await make({ recommendedModel: 'huge' })
  assert.equal((await waiting).task.taskId, pinned)
  const next = await make({ recommendedModel: 'huge' })
  assert.equal((await gateway.call('dispatch_cycle', { maxTasks: 1 })).waitingForRunner, 1)
  assert.equal((await claim()).task.taskId, next)
})
