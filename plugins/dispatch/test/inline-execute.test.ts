import assert from 'node:assert/strict'
import { test } from 'node:test'
import schedules from '@gateway/plugin-schedules'
import { claimGate } from '@gateway/plugin-tasks/api'
import { closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import { type CallOptions, refusal, type TestGatewayOptions } from '@gateway/testing'
import { create, get, start, type TestGateway } from './support.ts'

/** Stand-ins for real families; each returns its arguments. */
const standIn = (name: string) =>
  defineTool({
    name,
    description: 'For tests.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({ scope: Type.Optional(Type.String()) }, closed),
    output: Type.Object({}),
    handle: async (args) => ({ ran: name, ...args }),
  })
const names = ['health_status', 'memory_reindex', 'usage_summary', 'repos_status']
const family = definePlugin({ id: 'test-family', sdk: '^1.0.0', description: 'Has the tools.', tools: names.map(standIn) })

const on = (options: Partial<TestGatewayOptions> = {}) =>
  start({ plugins: [family, schedules], env: { INLINE_EXEC_ENABLED: '1' }, ...options })
const run = (gateway: TestGateway, args: object = {}, options?: CallOptions) => gateway.call('inline_execute', args, options)
const marked = (gateway: TestGateway, description: string, args: object = {}) =>
  create(gateway, { title: 'Maintenance', description, assignedAgent: 'inline', ...args })

test('it is off unless it is switched on', async () => {
  await using gateway = await start({ plugins: [family] })
  const { taskId } = await marked(gateway, 'inline: health')
  await assert.rejects(run(gateway), refusal('SWITCHED_OFF', 'INLINE_EXEC_ENABLED', /off/))
  assert.equal((await get(gateway, taskId)).status, 'pending')
})

test('each op runs its tool, and its task is done with what came of it', async () => {
  await using gateway = await on()
  const other = await create(gateway, { title: 'Another task' })
  const ops = {
    health: 'health_status',
    'reindex {"scope":"all"}': 'memory_reindex',
    'usage-summary': 'usage_summary',
    'repo-status': 'repos_status',
  }
  const made = new Map<string, string>()
  for (const [op, tool] of Object.entries(ops)) made.set((await marked(gateway, `inline: ${op}`)).taskId, tool)
  const seed = await marked(gateway, 'inline: seed-schedules')
  const change = { taskId: other.taskId, priority: 'P0' }
  const reprioritize = await marked(gateway, `inline: reprioritize ${JSON.stringify(change)}`)
  const { results, remainingQuota } = await run(gateway)
  assert.deepEqual(
    results.map(({ op, outcome }: Record<string, string>) => `${op} ${outcome}`),
    ['health', 'reindex', 'usage-summary', 'repo-status', 'seed-schedules', 'reprioritize'].map((op) => `${op} done`),
  )
  assert.equal(remainingQuota, 94)
  for (const [taskId, tool] of made) {
    const task = await get(gateway, taskId)
    assert.deepEqual([task.status, JSON.parse(task.notes as string).ran], ['done', tool])
  }
  assert.equal(JSON.parse((await get(gateway, [...made.keys()][1] ?? '')).notes as string).scope, 'all')
  assert.equal((await get(gateway, other.taskId)).priority, 'P0')
  for (const { taskId } of [seed, reprioritize]) assert.equal((await get(gateway, taskId)).status, 'done')
  assert.ok((await gateway.call('schedules_list')).schedules.length > 0)
})

test('a marker that makes no sense, or an op that is refused, fails its task with the reason', async () => {
  await using gateway = await on()
  const [nonsense, refused] = [
    await marked(gateway, 'inline: explode'),
    await marked(gateway, 'inline: reprioritize {"taskId":"task-0","priority":"P0"}'),
  ]
  const { results } = await run(gateway)
  assert.deepEqual(
    results.map(({ outcome }: { outcome: string }) => outcome),
    ['failed', 'failed'],
  )
  assert.match((await get(gateway, nonsense.taskId)).lastError as string, /no inline op explode/)
  const task = await get(gateway, refused.taskId)
  assert.match(task.lastError as string, /No task/)
  assert.deepEqual([task.status, task.retryCount], ['pending', 1])
})

test('an op whose family is not running leaves its task in the queue, and says which family it is', async () => {
  await using gateway = await on({ plugins: [schedules] })
  const { taskId } = await marked(gateway, 'inline: health')
  const { results, remainingQuota } = await run(gateway)
  assert.deepEqual([results[0].outcome, remainingQuota], ['skipped', 100])
  assert.match(results[0].error, /health_status of the family health/)
  assert.deepEqual([(await get(gateway, taskId)).status, (await get(gateway, taskId)).retryCount], ['pending', undefined])
})

test('only tasks of the agent inline are looked at, and of one repo when told so', async () => {
  await using gateway = await on()
  const [other, mine, theirs] = [
    await create(gateway, { title: 'inline: health' }),
    await marked(gateway, 'inline: health', { repo: 'api' }),
    await marked(gateway, 'inline: health'),
  ]
  assert.equal((await run(gateway, { repo: 'api' })).results.length, 1)
  assert.deepEqual([(await get(gateway, mine.taskId)).status, (await get(gateway, theirs.taskId)).status], ['done', 'pending'])
  assert.equal((await run(gateway)).results.length, 1)
  assert.equal((await get(gateway, other.taskId)).status, 'pending')
})

test('ten tasks without maxTasks; what is asked for is cut to 1 to 50', async () => {
  await using gateway = await on()
  for (let i = 0; i < 70; i++) await marked(gateway, 'inline: health')
  const count = async (args: object) => (await run(gateway, args)).results.length
  assert.deepEqual([await count({}), await count({ maxTasks: 0 }), await count({ maxTasks: -3 })], [10, 1, 1])
  assert.equal(await count({ maxTasks: 1_000 }), 50)
})

test('the day’s quota bounds it, whoever calls at the same time, and is new the next day', async () => {
  await using gateway = await on({ env: { INLINE_EXEC_ENABLED: '1', INLINE_EXEC_QUOTA: '5' } })
  for (let i = 0; i < 12; i++) await marked(gateway, 'inline: health')
  const runs = await Promise.all([run(gateway), run(gateway), run(gateway)])
  const ran = runs.flatMap(({ results }) => results)
  // A task that another caller claimed first has used its share of the quota as well.
  assert.ok(ran.length > 0 && ran.length <= 5, `${ran.length}`)
  const { results, remainingQuota } = await run(gateway)
  assert.deepEqual([results, remainingQuota], [[], 0])
  gateway.clock.advance(86_400)
  assert.equal((await run(gateway)).results.length, 5)
})

test('while claims are closed nothing runs or is taken from the quota, and the answer says why', async () => {
  let open = false
  const maintenance = definePlugin({
    id: 'test-maintenance',
    sdk: '^1.0.0',
    description: 'Closes the queue.',
    contributes: [contribute(claimGate, { create: () => ({ check: async () => (open ? { open } : { open, reason: 'Maintenance.' }) }) })],
  })
  await using gateway = await on({ plugins: [family, schedules, maintenance] })
  for (let i = 0; i < 3; i++) await marked(gateway, 'inline: health')
  assert.deepEqual(await run(gateway), { results: [], remainingQuota: 100, reason: 'Maintenance.' })
  open = true
  const { results, remainingQuota } = await run(gateway)
  assert.deepEqual([results.length, remainingQuota], [3, 97])
})

test('an op that outlasts its claim has failed, and the tasks after it run all the same', async () => {
  let during = async (): Promise<void> => {}
  const slow = definePlugin({
    id: 'test-slow',
    sdk: '^1.0.0',
    description: 'Has a slow tool.',
    tools: [{ ...standIn('memory_reindex'), handle: () => during().then(() => ({})) }, standIn('health_status')],
  })
  await using gateway = await on({ plugins: [slow] })
  during = async () => {
    gateway.clock.advance(601)
    await gateway.runJob('tasks.lease-reap')
  }
  const [reindex, health] = [await marked(gateway, 'inline: reindex'), await marked(gateway, 'inline: health')]
  const { results } = await run(gateway)
  assert.deepEqual(
    results.map(({ taskId, outcome }: Record<string, string>) => [taskId, outcome]),
    [
      [reindex.taskId, 'failed'],
      [health.taskId, 'done'],
    ],
  )
  assert.match(results[0].error, /^`claimId` .* is no longer valid: it is pending/)
  assert.deepEqual([(await get(gateway, reindex.taskId)).retryCount, (await get(gateway, health.taskId)).status], [1, 'done'])
})

test('it runs as the caller: what the caller may not do stays in the queue', async () => {
  const forbidden = definePlugin({
    id: 'test-guarded',
    sdk: '^1.0.0',
    description: 'Has a guarded tool.',
    tools: [{ ...standIn('health_status'), capability: 'configure' }],
  })
  await using gateway = await start({ plugins: [forbidden], env: { INLINE_EXEC_ENABLED: '1', RBAC_ENFORCE: '1' } })
  const { taskId } = await marked(gateway, 'inline: health')
  const { results } = await run(gateway, {}, { as: { kind: 'user', role: 'member' } })
  assert.match(results[0].error, /not open to your role/)
  assert.deepEqual([results[0].outcome, (await get(gateway, taskId)).status], ['skipped', 'pending'])
  assert.equal((await run(gateway)).results[0].outcome, 'done')
})
