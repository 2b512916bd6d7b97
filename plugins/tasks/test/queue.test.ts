import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atomically, definePlugin, defineTool, Type } from '@gateway/sdk'
import { needs } from '@gateway/sdk/testing'
import { type TaskDraft, taskQueue } from '../src/api.ts'
import { claim, create, get, start, update } from './support.ts'

/** Another family that puts a task into the queue as part of a change of its own, and may think better of it. */
const family = definePlugin({
  id: 'test-family',
  sdk: '^1.0.0',
  description: 'Enqueues tasks.',
  tools: [
    defineTool({
      name: 'test_enqueue',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ draft: Type.Object({}), fail: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
      output: Type.Object({}),
      uses: { queue: taskQueue, atomically },
      handle: async ({ draft, fail }, { queue, atomically }) =>
        atomically(async (tx) => {
          const { taskId } = await queue.enqueue(draft as TaskDraft, tx)
          const seen = await queue.get(taskId, tx)
          if (fail) throw new Error('thought better of it')
          return { seen }
        }),
    }),
    defineTool({
      name: 'test_look',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ taskId: Type.String() }, { additionalProperties: false }),
      output: Type.Object({}),
      uses: { queue: taskQueue, atomically },
      handle: async ({ taskId }, { queue, atomically }) => ({ task: await atomically((tx) => queue.get(taskId, tx)) }),
    }),
  ],
})

test('another family enqueues a task on the same terms as tasks_create, and finds it', async () => {
  await using gateway = await start({ plugins: [family] })
  const draft = { repo: 'web', title: 'Tidy up', source: 'scheduler', sourceId: 'x' }
  const { seen } = await gateway.call('test_enqueue', { draft })
  const { taskId: _id, ...expected } = await create(gateway, draft)
  const { taskId, ...rest } = seen
  assert.deepEqual(rest, expected)
  assert.deepEqual(await get(gateway, { taskId }), seen)
  assert.equal((await claim(gateway, { taskId }))?.taskId, taskId)
})

test('it waits for its upstreams', async () => {
  await using gateway = await start({ plugins: [family] })
  const upstream = await create(gateway)
  const dependsOn = [upstream.taskId, upstream.taskId]
  const { seen } = await gateway.call('test_enqueue', { draft: { repo: 'web', title: 'Later', dependsOn } })
  assert.deepEqual([seen.stage, seen.waitingOn], ['waiting', 1])
  await update(gateway, upstream, { status: 'done' })
  assert.equal((await get(gateway, seen)).stage, 'ready')
})

test('a change that fails leaves no task', needs('transactions'), async () => {
  await using gateway = await start({ plugins: [family] })
  await assert.rejects(gateway.call('test_enqueue', { draft: { repo: 'web', title: 'x' }, fail: true }))
  assert.deepEqual((await gateway.call('tasks_list')).tasks, [])
})

test('a task in the trash, or of another tenant, is not found', async () => {
  await using gateway = await start({ plugins: [family] })
  const { taskId } = await create(gateway)
  assert.equal((await gateway.call('test_look', { taskId })).task.taskId, taskId)
  assert.equal((await gateway.call('test_look', { taskId }, { as: { tenantId: 'acme' } })).task, undefined)
  await gateway.call('tasks_delete', { taskId })
  assert.equal((await gateway.call('test_look', { taskId })).task, undefined)
})
