import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { dispatchRunner } from '../src/api.ts'
import { start } from './support.ts'

const here = definePlugin({
  id: 'agents-here',
  sdk: '^1.0.0',
  description: 'One agent that runs in the gateway.',
  contributes: [
    contribute(dispatchRunner, {
      create: () => ({
        agents: async () => ['summarizer'],
        plan: async () => undefined,
        run: () => Promise.reject(new Error('not asked')),
      }),
    }),
  ],
})

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
