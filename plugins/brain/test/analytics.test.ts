import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import webhooks from '@gateway/plugin-webhooks'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { routeTraceSource } from '../src/api.ts'
import { seedRepository } from './seeded.ts'
import { commit, DAY, start } from './support.ts'

test('brain_status: location, branch, namespaces, atom counts, open branches, pending stashes, last commit', async () => {
  await using gateway = await start()
  const empty = await gateway.call('brain_status')
  assert.deepEqual([empty.exists, empty.branch, empty.location], [false, 'main', 'brains/local.git'])
  await commit(gateway)
  await commit(gateway, { kind: 'handoff', slug: 'h' })
  await commit(gateway, { kind: 'memory', slug: 'm' })
  await gateway.call('brain_stash', { slug: 'ctx', content: 'x' })
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const status = await gateway.call('brain_status')
  assert.deepEqual([status.exists, status.branch], [true, 'session/one'])
  assert.deepEqual(status.atoms, { total: 3, session: 1, handoff: 1, memory: 1 })
  assert.deepEqual(
    status.openBranches.map(({ branch }: { branch: string }) => branch),
    ['session/one'],
  )
  assert.equal(status.stashes[0].slug, 'ctx')
  assert.equal(status.lastCommit.subject, 'stash: ctx')
})

test('a brain that is never touched starts no process and makes no folder', async () => {
  await using gateway = await start()
  const empty = [
    'status',
    'manifest',
    'health',
    'explore',
    'log',
    'delta',
    'entity',
    'communities',
    'blame',
    'bandit_stats',
    'recall_analytics',
  ]
  for (const tool of empty) await gateway.call(`brain_${tool}`)
  await gateway.call('brain_search', { query: 'nothing' })
  await gateway.call('brain_timeline', { entity: 'nobody' })
  await gateway.call('brain_lookup', { query: 'nothing' })
  const { git } = (await gateway.inject({ method: 'GET', url: '/health/deep' })).json()
  assert.deepEqual(git, { status: 'healthy', running: false })
  assert.equal(existsSync(`${gateway.dataDir}/brains`), false)
})

test('brain_status counts the atoms of all namespaces, of which it shows 500', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-brain-many-'))
  try {
    await seedRepository(
      dataDir,
      Array.from({ length: 505 }, (_, n) => `# ${n}`),
      (n) => `repo-${n}`,
    )
    await using gateway = await start({ dataDir })
    const { namespaces, atoms } = await gateway.call('brain_status')
    assert.deepEqual([namespaces.length, atoms.total, atoms.session], [500, 505, 505])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('brain_manifest: stores with the tools that fetch them, namespaces, memory atoms, freshnessSha', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway)
  const memory = (await commit(gateway, { kind: 'memory', slug: 'm' })).atom
  const manifest = await gateway.call('brain_manifest')
  assert.ok(manifest.stores.every(({ store, tool }: { store: string; tool: string }) => store !== '' && tool.startsWith('brain_')))
  assert.deepEqual(manifest.namespaces, [{ namespace: atom.repo, hasBrief: false, hasWorking: false, atoms: { session: 1, handoff: 0 } }])
  assert.deepEqual([manifest.memoryAtoms, manifest.freshnessSha], [1, memory.commit])
})

test('brain_health: nothing recorded is not available and counts nothing', async () => {
  await using gateway = await start()
  const health = await gateway.call('brain_health')
  assert.deepEqual([health.score, health.grade, health.trend.direction], [0, 'poor', 'unknown'])
  assert.ok(Object.values(health.parts).every((part) => !(part as { available: boolean }).available))
  await commit(gateway, { kind: 'handoff', slug: 'h' })
  const fine = await gateway.call('brain_health')
  assert.deepEqual([fine.score, fine.grade, fine.parts.hitRate.available], [100, 'excellent', false])
})

test('brain_health falls with staleness, gaps, contradictions and misses, by the stated formula', async () => {
  await using gateway = await start()
  await commit(gateway, { repo: 'gap' })
  gateway.clock.advance(20 * DAY)
  await commit(gateway, { kind: 'handoff', slug: 'h', content: 'yes' })
  await commit(gateway, { kind: 'handoff', slug: 'h', content: 'no' })
  await gateway.call('brain_search', { query: 'yes' })
  await gateway.call('brain_search', { query: 'zebra' })
  await gateway.call('brain_lookup', { repo: 'web' })
  const { parts, details, score, grade } = await gateway.call('brain_health')
  assert.deepEqual([parts.freshness.value, parts.coverage.value, parts.contradictions.value, parts.hitRate.value], [0.5, 0.5, 0.9, 0.5])
  assert.deepEqual([details.gaps, details.contradictory], [['gap'], [{ slug: 'h', repo: 'web', atoms: 2 }]])
  assert.deepEqual([score, grade], [58, 'fair'])
  gateway.clock.advance(31 * DAY)
  assert.equal((await gateway.call('brain_health')).details.contradictory.length, 0, 'only 30 days are looked at')
})

test('brain_health keeps one snapshot an hour, none with record false, and shows the trend', async () => {
  await using gateway = await start()
  await commit(gateway, { kind: 'handoff', slug: 'h' })
  assert.equal((await gateway.call('brain_health', { record: false })).recorded, false)
  assert.equal((await gateway.call('brain_health')).recorded, true)
  assert.equal((await gateway.call('brain_health')).recorded, false)
  gateway.clock.advance(3_600)
  assert.equal((await gateway.call('brain_health')).recorded, true)
  gateway.clock.advance(30 * DAY)
  const { trend } = await gateway.call('brain_health')
  assert.deepEqual([trend.direction, trend.points.length], ['down', 2])
})

test('brain_recall_analytics: most recalled, heatmap, dead atoms; pinned and fresh ones are never dead', async () => {
  await using gateway = await start()
  const slugs = ['used', 'dead', 'pinned']
  for (const slug of slugs) await commit(gateway, { slug, content: `${slug} fruit`, pin: slug === 'pinned' })
  gateway.clock.advance(15 * DAY)
  await commit(gateway, { slug: 'fresh', content: 'fresh fruit' })
  for (let n = 0; n < 2; n++) await gateway.call('brain_search', { query: 'used', k: 1 })
  const before = JSON.stringify(await gateway.documents())
  const analytics = await gateway.call('brain_recall_analytics')
  assert.equal(JSON.stringify(await gateway.documents()), before, 'it only reads')
  assert.deepEqual(
    analytics.top.map(({ title, recalls }: Record<string, unknown>) => [title, recalls]),
    [['used fruit', 2]],
  )
  assert.deepEqual(analytics.heatmap, [{ repo: 'web', under7Days: 1, under30Days: 3, under90Days: 0, older: 0 }])
  assert.deepEqual(
    analytics.dead.map(({ title }: { title: string }) => title),
    ['dead fruit'],
  )
  assert.deepEqual(analytics.gc.candidatePaths, [analytics.dead[0].path])
  assert.deepEqual(analytics.recalls, { available: true, asked: 2, answered: 2, hitRate: 1 })
  assert.equal((await gateway.call('brain_recall_analytics', { minDeadAgeDays: 16 })).dead.length, 0)
  assert.equal((await gateway.call('brain_recall_analytics', { minDeadAgeDays: 0, deadLimit: 1 })).dead.length, 1)
  assert.deepEqual((await gateway.call('brain_recall_analytics', { repo: 'none', topLimit: 1 })).top, [])
})

test('brain_bandit_stats: not available before anything was indexed or shown; then pulls and rewards that were recorded', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('brain_bandit_stats'), { available: false, reason: 'not_indexed', totalPulls: 0, arms: [] })
  const { atom } = await commit(gateway, { content: 'quince' })
  assert.equal((await gateway.call('brain_bandit_stats')).reason, 'no_pulls')
  await gateway.call('brain_search', { query: 'quince' })
  await gateway.call('brain_pin', { ref: atom.sha8 })
  const stats = await gateway.call('brain_bandit_stats')
  assert.deepEqual(
    [stats.available, stats.totalPulls, stats.arms[0].arm, stats.arms[0].rewards, stats.arms[0].mean],
    [true, 1, 'words', 1, 1],
  )
})

test('brain_router_train_readiness: not available while nothing was recorded; then what there is against the floor of 500', async () => {
  await using without = await start()
  assert.deepEqual(await without.call('brain_router_train_readiness'), {
    available: false,
    labeled: 0,
    floor: 500,
    ready: false,
    missing: 500,
    perDay: 0,
  })
  const source = definePlugin({
    id: 'routes',
    sdk: '^1.0.0',
    description: 'Labeled traces that a test counts.',
    contributes: [contribute(routeTraceSource, { create: () => ({ labeled: async (since) => (since === undefined ? 150 : 70) }) })],
  })
  await using gateway = await start({ plugins: [source] })
  assert.deepEqual(await gateway.call('brain_router_train_readiness'), {
    available: true,
    labeled: 150,
    floor: 500,
    ready: false,
    missing: 350,
    perDay: 10,
    etaDays: 35,
  })
})

test('routed tasks that ended are the traces that brain_router_train_readiness counts, each end once', async () => {
  await using gateway = await start({ plugins: [outgoing, trash, webhooks, tasks] })
  const end = async (status: string, routed: object) => {
    const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'x' })
    await gateway.call('tasks_update', { taskId: task.taskId, status: 'working', ...routed })
    await gateway.call('tasks_update', { taskId: task.taskId, status })
    return task.taskId
  }
  await end('done', {})
  await end('review', { routedModel: 'm' })
  assert.equal((await gateway.call('brain_router_train_readiness')).available, false)
  const taskId = await end('done', { routedModel: 'm' })
  await gateway.call('tasks_update', { taskId, status: 'done', notes: 'once more' })
  gateway.clock.advance(10 * DAY)
  await end('dead_letter', { routedProfile: 'p' })
  const { available, labeled, missing, perDay } = await gateway.call('brain_router_train_readiness')
  assert.deepEqual([available, labeled, missing, perDay], [true, 2, 498, 0.14])
})

test('brain_explore: all sections by default, only those that are named else; 60 atoms, at most 200', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 63 }, (_, n) => commit(gateway, { slug: `s${n}`, content: `@ada ${n}` })))
  const all = await gateway.call('brain_explore')
  assert.equal(all.atoms.length, 60)
  for (const section of ['entities', 'communities', 'topics', 'recall', 'health']) assert.ok(section in all, section)
  const some = await gateway.call('brain_explore', { sections: ['topics'], atomLimit: 9_999 })
  assert.deepEqual([some.atoms.length, some.topics, 'entities' in some, 'health' in some], [63, ['general'], false, false])
  await assert.rejects(gateway.call('brain_explore', { sections: ['all'] }), { code: 'BAD_REQUEST' })
})

test('brain_observe: raw records in a ring, target cut at 300 characters, exit unknown by default; no atom', async () => {
  await using gateway = await start({ config: { brain: { maxObservations: 2 } } })
  for (let n = 0; n < 60; n++) await gateway.call('brain_observe', { repo: 'web', tool: 'edit', target: 'x'.repeat(400), files: ['a.ts'] })
  await gateway.call('brain_observe', { exit: 'ok' })
  const kept = (await gateway.documents())['brain.observations'] as { target?: string; exit: string }[]
  assert.equal(kept.length, 2)
  assert.deepEqual([kept[0]?.target?.length, kept[0]?.exit, kept[1]?.exit], [300, 'unknown', 'ok'])
  assert.equal((await gateway.call('brain_status')).exists, false)
  await assert.rejects(gateway.call('brain_observe', { exit: 'fine' }), refusal('BAD_REQUEST', 'exit'))
})
