import assert from 'node:assert/strict'
import { test } from 'node:test'
import runners from '@gateway/plugin-runners'
import schedules from '@gateway/plugin-schedules'
import { contribute, definePlugin, Unavailable } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { type FleetPanel, fleetPanel } from '../src/api.ts'
import fleet from '../src/index.ts'
import { rank } from '../src/rules/attention.ts'
import { of, start, type TestGateway } from './support.ts'

const overview = (gateway: TestGateway, options?: ReturnType<typeof of>) => gateway.call('fleet_overview', {}, options)
const parts = ({ missing }: { missing: { part: string }[] }) => missing.map(({ part }) => part)
const panel = (of: FleetPanel) =>
  definePlugin({
    id: `panel-${of.name.toLowerCase()}`,
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [contribute(fleetPanel, { create: () => of })],
  })

test('the queue is counted by status', async () => {
  await using gateway = await start()
  for (const status of ['pending', 'pending', 'working', 'review', 'done', 'done', 'done', 'blocked', 'paused', 'dead_letter']) {
    const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'x' })
    if (status !== 'pending') await gateway.call('tasks_update', { taskId: task.taskId, status })
  }
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'pending', deferSeconds: 60 })
  const { queue } = await overview(gateway)
  assert.deepEqual(queue.byStatus, { pending: 3, working: 1, review: 1, done: 3, blocked: 1, paused: 1, dead_letter: 1 })
})

test('the three repos that need attention most stand out, with what speaks for them; dead letters weigh more than blocks', async () => {
  await using gateway = await start()
  const stuck = { api: ['blocked', 'blocked'], web: ['dead_letter'], docs: ['blocked'], shop: ['dead_letter', 'blocked'], calm: ['done'] }
  for (const [repo, statuses] of Object.entries(stuck)) {
    for (const status of statuses) {
      const { task } = await gateway.call('tasks_create', { repo, title: 'x' })
      await gateway.call('tasks_update', { taskId: task.taskId, status })
    }
  }
  const { attention, repoHealth } = await overview(gateway)
  assert.deepEqual(attention, [
    { repo: 'shop', weight: 4, reasons: ['1 task in the dead letter', '1 task blocked'] },
    { repo: 'web', weight: 3, reasons: ['1 task in the dead letter'] },
    { repo: 'api', weight: 2, reasons: ['2 tasks blocked'] },
  ])
  assert.deepEqual([repoHealth.worriedCount, repoHealth.worried.length, repoHealth.worried[3].repo], [4, 4, 'docs'])
  assert.deepEqual((await overview(gateway, of('acme'))).attention, [], 'of one tenant')
})

test('concerns of several families about a repo add up; equal repos stand by name', () => {
  const concerns = [
    { repo: 'b', weight: 1, reason: 'one' },
    { repo: 'a', weight: 3, reason: 'two' },
    { repo: 'b', weight: 2, reason: 'three' },
  ]
  assert.deepEqual(rank(concerns), [
    { repo: 'a', weight: 3, reasons: ['two'] },
    { repo: 'b', weight: 3, reasons: ['three', 'one'] },
  ])
})

test('schedules and runners are shown where their families run', async () => {
  await using gateway = await start({ plugins: [schedules, runners] })
  const timed = { cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list' }
  for (const [name, enabled] of [
    ['on', true],
    ['off', false],
  ] as const)
    await gateway.call('schedules_create', { name, enabled, ...timed })
  await gateway.call('runner_heartbeat', { machine: 'forge' })
  gateway.clock.advance(26 * 60)
  await gateway.call('runner_heartbeat', { machine: 'anvil' })
  const { schedules: shown, more, missing } = await overview(gateway)
  assert.deepEqual([shown.active, shown.next.map(({ name }: { name: string }) => name)], [1, ['on']])
  assert.deepEqual(more, { runners: { alive: 1, down: 1 } })
  assert.deepEqual(parts({ missing }), ['repos', 'spendToday'])
})

test('what nothing reports is null, and named as missing', async () => {
  await using gateway = await startTestGateway({ plugins: [fleet] })
  const shown = await overview(gateway)
  assert.deepEqual(
    [shown.queue, shown.schedules, shown.spendToday, shown.repoHealth.figures, shown.attention],
    [null, null, null, null, []],
  )
  assert.deepEqual(parts(shown), ['queue', 'repos', 'schedules', 'spendToday'])
  for (const { why } of shown.missing) assert.match(why, /plugin .* not enabled/)
})

test('a family fills its place by a panel, and may add repos to worry about', async () => {
  const spend = panel({ name: 'spendToday', figures: async () => ({ usd: 1.5 }) })
  const repos = panel({
    name: 'repos',
    figures: async () => ({ healthy: 4, failing: 1 }),
    concerns: async () => [{ repo: 'web', weight: 10, reason: 'the build fails' }],
  })
  await using gateway = await start({ plugins: [spend, repos] })
  const shown = await overview(gateway)
  assert.deepEqual([shown.spendToday, shown.repoHealth.figures], [{ usd: 1.5 }, { healthy: 4, failing: 1 }])
  assert.deepEqual(shown.attention, [{ repo: 'web', weight: 10, reasons: ['the build fails'] }])
  assert.deepEqual(parts(shown), ['schedules'])
})

test('a panel that fails is missing, with what it says; the others are there', async () => {
  const broken = panel({ name: 'repos', figures: () => Promise.reject(new Error('boom')) })
  const off = panel({
    name: 'spendToday',
    figures: async () => {
      throw Unavailable({ message: 'No budget is set.' })
    },
  })
  await using gateway = await start({ plugins: [broken, off] })
  const shown = await overview(gateway)
  assert.equal(shown.queue.byStatus.pending, 0)
  const why = Object.fromEntries(shown.missing.map(({ part, why }: { part: string; why: string }) => [part, why]))
  assert.equal(why.spendToday, 'No budget is set.')
  assert.match(why.repos, /log/)
  assert.doesNotMatch(JSON.stringify(shown), /boom/)
  assert.ok(gateway.logs.some(({ part }) => part === 'repos'))
})

test('it says whether claims are paused', async () => {
  await using gateway = await start()
  assert.deepEqual((await overview(gateway)).maintenance, { active: false })
  await gateway.call('fleet_maintenance_enter', { reason: 'disk' })
  assert.equal((await overview(gateway, of('acme'))).maintenance.reason, 'disk')
})

test('over REST it stands at /api/orchestration/overview', async () => {
  await using gateway = await start()
  const { status, json } = await gateway.inject({ method: 'GET', url: '/api/orchestration/overview' })
  assert.deepEqual([status, json().attention], [200, []])
})
