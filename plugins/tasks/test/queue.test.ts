import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atomically, closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import { repoNames, type TaskDraft, taskQueue } from '../src/api.ts'
import { claim, create, get, start, update } from './support.ts'

/** Another family that adds a task as part of its own change, and may roll it back. */
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
      input: Type.Object({ draft: Type.Object({}), fail: Type.Optional(Type.Boolean()) }, closed),
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
      input: Type.Object({ taskId: Type.String() }, closed),
      output: Type.Object({}),
      uses: { queue: taskQueue, atomically },
      handle: async ({ taskId }, { queue, atomically }) => ({ task: await atomically((tx) => queue.get(taskId, tx)) }),
    }),
    defineTool({
      name: 'test_swarm',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ move: Type.Enum(['pause', 'resume']), swarmId: Type.String() }, closed),
      output: Type.Object({}),
      uses: { queue: taskQueue, atomically },
      handle: async ({ move, swarmId }, { queue, atomically }) => {
        const moved = await atomically((tx) => queue.swarms(tx)[move](swarmId))
        return { moved: moved.map(({ taskId }) => taskId), children: await queue.children(swarmId) }
      },
    }),
    defineTool({
      name: 'test_claimed',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ draft: Type.Object({}) }, closed),
      output: Type.Object({}),
      uses: { queue: taskQueue, atomically },
      handle: async ({ draft }, { queue, atomically }) => {
        const task = await atomically((tx) => queue.enqueueClaimed(draft as TaskDraft, { claimedBy: 'ada', leaseSeconds: 60 }, tx))
        return { task, ready: await queue.ready({ limit: 10 }) }
      },
    }),
  ],
})

/** A folder of the repo web. */
const clones = definePlugin({
  id: 'clones',
  sdk: '^1.0.0',
  description: 'Knows a clone.',
  contributes: [contribute(repoNames, { uses: {}, create: () => ({ nameOf: async (text) => (text === '/srv/web' ? 'web' : undefined) }) })],
})

test('a folder is stored as the name of its repo, also by other families', async () => {
  await using gateway = await start({ plugins: [family, clones] })
  const draft = { repo: '/srv/web', title: 'x' }
  assert.equal((await gateway.call('test_enqueue', { draft })).seen.repo, 'web')
  assert.equal((await gateway.call('test_claimed', { draft })).task.repo, 'web')
})

test('a runner skips a repo as it is stored, and no other', async () => {
  await using gateway = await start({ plugins: [clones] })
  await create(gateway, { repo: 'web' })
  const asked = { claimedBy: 'ada', ignoreRepos: ['/srv/web'] }
  assert.equal((await gateway.call('tasks.claim-for-runner', { ...asked, ignoreRepos: ['web'] })).claimed, false)
  assert.equal((await gateway.call('tasks.claim-for-runner', asked)).claimed, true)
})

test('the children of a swarm begin paused, and are paused and resumed together; the others are left', async () => {
  await using gateway = await start({ plugins: [family] })
  const child = async (args: object) =>
    (await gateway.call('test_enqueue', { draft: { repo: 'web', title: 'x', swarmId: 'swarm-1', ...args } })).seen
  const [paused, pending, held, done] = [await child({ status: 'paused' }), await child({}), await child({}), await child({})]
  const others = [await create(gateway), await child({ swarmId: 'swarm-2' })]
  assert.equal(paused.status, 'paused')
  await update(gateway, done, { status: 'done' })
  const holder = await claim(gateway, { taskId: held.taskId })
  const swarm = async (move: string) => gateway.call('test_swarm', { move, swarmId: 'swarm-1' })
  const stopped = await swarm('pause')
  assert.deepEqual(stopped.moved, [pending.taskId, held.taskId])
  assert.deepEqual(
    stopped.children.map(({ taskId, status }: Record<string, string>) => [taskId, status]),
    [
      [paused.taskId, 'paused'],
      [pending.taskId, 'paused'],
      [held.taskId, 'paused'],
      [done.taskId, 'done'],
    ],
  )
  const now = await get(gateway, held)
  assert.deepEqual([now.claimedBy, now.leaseUntil, now.claimId], [undefined, undefined, holder?.claimId])
  assert.deepEqual((await swarm('resume')).moved, [paused.taskId, pending.taskId, held.taskId])
  for (const other of others) assert.equal((await get(gateway, other)).status, 'pending')
})

test('a task that is claimed from the start was never for anyone else, and its lease runs out like any other', async () => {
  await using gateway = await start({ plugins: [family] })
  const other = await create(gateway)
  const { task, ready } = await gateway.call('test_claimed', { draft: { repo: 'web', title: 'mine' } })
  assert.deepEqual([task.status, task.stage, task.readyFor, task.claimedBy], ['working', 'working', undefined, 'ada'])
  assert.deepEqual(
    ready.map(({ taskId }: { taskId: string }) => taskId),
    [other.taskId],
  )
  gateway.clock.advance(61)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, task)).status, 'pending')
})

test('another family enqueues a task on the same terms as tasks_create, and finds it', async () => {
  await using gateway = await start({ plugins: [family] })
  const draft = { repo: 'web', title: 'Tidy up', source: 'scheduler', sourceId: 'x' }
  const { seen } = await gateway.call('test_enqueue', { draft })
  const { taskId: _id, ...expected } = await create(gateway, draft)
  const { taskId, ...rest } = await get(gateway, seen)
  assert.deepEqual(rest, expected)
  assert.equal(taskId, seen.taskId)
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

test('a change that fails leaves no task', async () => {
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
