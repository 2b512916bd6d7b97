import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const MINUTE = 60
const TENANT = 'synthetic.canary'

interface Stage {
  readonly stage: string
  readonly status: string
  readonly latencyMs?: number
  readonly error?: string
}
const statuses = ({ latest }: { latest: { stages: readonly Stage[] } }) => latest.stages.map(({ stage, status }) => `${stage} ${status}`)
const PASS = ['signup pass', 'dispatch pass', 'pickup pass', 'ship pass']

test('before the first run there are the settings alone', async () => {
  await using it = await start()
  const { config, latest, history } = await it.gateway.call('canary_status')
  assert.deepEqual([latest, history], [null, []])
  assert.deepEqual([config.enabled, config.intervalMinutes, config.tenantId], [true, 5, TENANT])
})

test('a run signs up, dispatches a task, claims it and ships it, and says of each stage how long it took against its budget', async () => {
  await using it = await start()
  const status = await it.run()
  assert.deepEqual(statuses(status), PASS)
  assert.equal(status.latest.status, 'pass')
  assert.ok(
    status.latest.stages.every(({ latencyMs, budgetMs }: { latencyMs: number; budgetMs: number }) => latencyMs > 0 && budgetMs > latencyMs),
  )
  const tools = (await it.gateway.audit(TENANT)).map(({ tool }) => tool)
  assert.deepEqual([...new Set(tools)], ['tasks_create', 'tasks_claim', 'tasks_update', 'tasks_delete'])
  assert.deepEqual(it.alerts, [])
})

test('it leaves no trace: no task, no tenant in a list, no call in anybody’s figures or audit trail', async () => {
  await using it = await start()
  await it.run()
  assert.deepEqual(((await it.gateway.documents(TENANT)) as Record<string, unknown[]>).tasks, [])
  assert.deepEqual(Object.values(await it.gateway.documents()).flat(), [])
  assert.deepEqual(await it.gateway.tenants.list(), [])
  const { tools } = await it.gateway.call('perf_stats')
  assert.deepEqual(
    tools.map(({ tool }: { tool: string }) => tool),
    ['canary_status'],
  )
  assert.deepEqual(await it.gateway.audit(), [])
  assert.deepEqual((await it.gateway.call('tasks_list')).tasks, [])
})

test('what a run that was killed left behind is removed by the next', async () => {
  await using it = await start()
  const as = { tenantId: TENANT, role: 'member', id: 'x', kind: 'system' } as const
  for (const title of ['pending', 'working']) await it.gateway.call('tasks_create', { repo: 'synthetic-canary', title }, { as })
  await it.gateway.call('tasks_claim', { claimedBy: 'x' }, { as })
  assert.deepEqual(statuses(await it.run()), PASS)
  assert.deepEqual((await it.gateway.documents(TENANT)).tasks, [])
})

test('a run is made at its interval, whatever the job looks, and by one setting at none', async () => {
  await using it = await start({ intervalMinutes: 10 })
  assert.equal((await it.run()).history.length, 1)
  assert.equal((await it.run()).history.length, 1)
  it.gateway.clock.advance(10 * MINUTE)
  assert.equal((await it.run()).history.length, 2)
  await it.gateway.restart()
  assert.equal((await it.run()).history.length, 2)
  await using off = await start({}, { SYNTHETIC_CANARY_DISABLED: '1' })
  const { config, history } = await off.run()
  assert.deepEqual([config.enabled, history], [false, []])
})

test('the history is bounded, newest first', async () => {
  await using it = await start({ historyLimit: 3, intervalMinutes: 1 })
  for (let i = 0; i < 5; i++) {
    it.gateway.clock.advance(MINUTE)
    await it.run()
  }
  const { history, latest } = await it.gateway.call('canary_status')
  const times = history.map(({ startedAt }: { startedAt: string }) => startedAt)
  assert.equal(times.length, 3)
  assert.deepEqual(times, [...times].sort().reverse())
  assert.deepEqual(history[0], latest)
})

test('a stage that fails ends the run and is told of, once; and the end of it is told', async () => {
  await using it = await start()
  it.breaks(async ({ after }) => {
    if (after.status === 'review') throw new Error('the queue is broken')
  })
  const status = await it.run()
  assert.deepEqual(statuses(status), ['signup pass', 'dispatch pass', 'pickup pass', 'ship fail'])
  assert.ok(status.latest.stages[3].error)
  assert.deepEqual(
    it.alerts.map(({ level, title }) => ({ level, title })),
    [{ level: 'error', title: 'The synthetic run fails' }],
  )
  assert.match(it.alerts[0]?.message ?? '', /^signup: pass, [\d.]+ of 600000 ms\n[\s\S]*\nship: fail/)
  it.gateway.clock.advance(5 * MINUTE)
  await it.run()
  assert.equal(it.alerts.length, 1)
  it.breaks(async () => undefined)
  it.gateway.clock.advance(5 * MINUTE)
  assert.deepEqual(statuses(await it.run()), PASS)
  assert.deepEqual(
    it.alerts.slice(1).map(({ title }) => title),
    ['The synthetic run passes again'],
  )
})

test('a stage that is slow is told of, and the run goes on', async () => {
  await using it = await start({ dispatchBudgetMs: 0.000_001 })
  const status = await it.run()
  assert.deepEqual(statuses(status), ['signup pass', 'dispatch slow', 'pickup pass', 'ship pass'])
  assert.equal(status.latest.status, 'slow')
  assert.deepEqual(
    it.alerts.map(({ level, title }) => ({ level, title })),
    [{ level: 'warning', title: 'The synthetic run is slow' }],
  )
})

test('while the queue gives nothing out by somebody’s will, a run is skipped and nobody is told', async () => {
  await using it = await start()
  it.closes('maintenance')
  const status = await it.run()
  assert.deepEqual(statuses(status), ['signup pass', 'dispatch pass', 'pickup skipped', 'ship skipped'])
  assert.deepEqual([status.latest.status, status.latest.stages[2].error, it.alerts], ['skipped', 'maintenance', []])
  assert.deepEqual((await it.gateway.documents(TENANT)).tasks, [])
})

test('any caller may see how the canary is', async () => {
  await using it = await start()
  const { latest } = await it.run()
  const viewer = { tenantId: 'acme', kind: 'user', role: 'viewer', id: 'ann' } as const
  assert.deepEqual((await it.gateway.call('canary_status', {}, { as: viewer })).latest, latest)
})
