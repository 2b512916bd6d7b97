import assert from 'node:assert/strict'
import { test } from 'node:test'
import trash from '@gateway/plugin-trash'
import { closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { reservedAgents } from '../src/api.ts'
import { tasks as stored } from '../src/collections.ts'
import family from '../src/index.ts'
import { create, get } from './support.ts'

/** Turns the audience of every ready task of an agent into that of an earlier version, which named no hosted model. */
const forgetModels = defineTool({
  name: 'test_forget_models',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { tasks: stored },
  handle: async (_args, { tasks }) => ({
    forgotten: await tasks.updateMany({ readyFor: { prefix: '*' }, assignedAgent: 'coder' }, { set: { readyFor: '* @coder' } }),
  }),
})

const here = definePlugin({
  id: 'here',
  sdk: '^1.0.0',
  description: 'Runs an agent with one model.',
  contributes: [contribute(reservedAgents, { create: () => ({ names: async () => ['coder'], serves: (model) => model === 'middle' }) })],
})

test('a ready task that an earlier version has stored becomes claimable for runners if its agent cannot be asked with its model here', async () => {
  await using gateway = await startTestGateway({ plugins: [trash, { ...family, tools: [...family.tools, forgetModels] }, here] })
  const assigned = (recommendedModel?: string) => create(gateway, { assignedAgent: 'coder', ...(recommendedModel && { recommendedModel }) })
  const before = [await assigned(), await assigned('middle'), await assigned('huge'), await assigned('local/tiny')]
  assert.deepEqual(await gateway.call('test_forget_models'), { forgotten: 3 })
  const claim = (args: object = {}) => gateway.call('tasks.claim-for-runner', { claimedBy: 'm1/primary/1', localModels: [], ...args })
  assert.equal((await claim()).claimed, false)
  const waiting = claim({ waitSeconds: 20 })
  await gateway.runJob('tasks.audiences')
  assert.equal((await waiting).task.taskId, before[2]?.taskId)
  const after = await Promise.all(before.map((task) => get(gateway, task)))
  assert.deepEqual(
    after.map(({ readyFor }) => readyFor),
    ['* @coder', '*=middle @coder', undefined, 'tiny @coder'],
  )
})
