import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, externalData } from '@gateway/sdk'
import { ask, DAY, filesWith, proofs, start, statusOf, tenant } from './support.ts'

test('a tenant goes when its grace time is over, not before, and a tombstone stays', async () => {
  await using gateway = await start()
  const apiKey = await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(14 * DAY)
  assert.equal((await gateway.call('erasure_sweep')).count, 0)
  gateway.clock.advance(1)
  const { count, removed, failed } = await gateway.call('erasure_sweep')
  assert.deepEqual([count, failed], [1, []])
  assert.equal(removed[0].tenantId, 'acme')
  assert.equal(removed[0].counted.tasks, 5)
  assert.equal(removed[0].counted['gateway.api-keys'], 1)
  assert.equal(removed[0].counted['audit.days'], 1)
  assert.deepEqual(Object.values(await gateway.documents('acme')).flat(), [])
  const { name, status, deletedAt } = await gateway.tenants.get('acme')
  assert.deepEqual([name, status, typeof deletedAt], ['', 'deleted', 'string'])
  const refused = await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: { 'x-api-key': apiKey } })
  assert.equal(refused.status, 401)
  await assert.rejects(gateway.tenants.create({ tenantId: 'acme', name: 'Again', plan: 'free' }), { code: 'CONFLICT' })
})

test('afterwards nothing in the data folder holds a word of it, nor its id but the tombstone and the proof', async () => {
  await using gateway = await start()
  await tenant(gateway, 'zwischentenant', 'quincunxmarker')
  await tenant(gateway, 'stays', 'staysmarker')
  const { tasks } = await gateway.call('tasks_list', {}, { as: { tenantId: 'zwischentenant' } })
  await gateway.call(
    'tasks_update',
    { taskId: tasks[0].taskId, notes: 'quincunxmarker '.repeat(500) },
    { as: { tenantId: 'zwischentenant' } },
  )
  await gateway.call('tasks_delete', { taskId: tasks[1].taskId }, { as: { tenantId: 'zwischentenant' } })
  assert.notDeepEqual(filesWith(gateway.dataDir, 'quincunxmarker'), [])
  await ask(gateway, 'zwischentenant', 'erasure')
  gateway.clock.advance(15 * DAY)
  await gateway.call('erasure_sweep')
  assert.deepEqual(filesWith(gateway.dataDir, 'quincunxmarker'), [])
  assert.deepEqual(
    filesWith(gateway.dataDir, 'zwischentenant').filter((name) => !/^(audit\/local\/|store\/gateway\.db)/.test(name)),
    [],
  )
  assert.equal((await gateway.call('tasks_list', {}, { as: { tenantId: 'stays' } })).tasks.length, 5)
})

test('the proof stands in the operator’s own audit trail: what was removed and how many', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(15 * DAY)
  const { removed } = await gateway.call('erasure_sweep')
  const [proof, ...others] = await proofs(gateway)
  assert.deepEqual(others, [])
  const { tenantId, asked, counted, left } = (proof?.details ?? {}) as Record<string, unknown>
  assert.deepEqual([tenantId, asked, counted, left], ['acme', 'erasure', removed[0].counted, 0])
  assert.equal((await gateway.call('erasure_sweep')).count, 0)
  assert.equal((await proofs(gateway)).length, 1)
})

test('a tenant under legal hold is left alone until the hold ends', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await gateway.tenants.change('acme', { legalHold: true })
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(15 * DAY)
  assert.deepEqual((await gateway.call('erasure_sweep')).held, ['acme'])
  assert.equal(await statusOf(gateway, 'acme'), 'active')
  assert.equal((await gateway.call('tasks_list', {}, { as: { tenantId: 'acme' } })).tasks.length, 5)
  await gateway.tenants.change('acme', { legalHold: false })
  assert.equal((await gateway.call('erasure_sweep')).count, 1)
})

test('one that fails stops no other, and goes on with the next sweep as it was counted first', async () => {
  const fault = { of: 'bad' as string | undefined }
  const kept = new Set(['bad', 'good'])
  const shelf = contribute(externalData, {
    create: () => ({
      name: 'shelf.files',
      count: async (tenantId) => (kept.has(tenantId) ? 1 : 0),
      async remove(tenantId) {
        if (fault.of === tenantId) throw new Error('the disk does not answer')
        kept.delete(tenantId)
      },
    }),
  })
  const plugin = definePlugin({ id: 'shelf', sdk: '^1.0.0', description: 'Keeps files.', contributes: [shelf] })
  await using gateway = await start({ plugins: [plugin] })
  for (const id of ['bad', 'good']) {
    await tenant(gateway, id)
    await ask(gateway, id, 'erasure')
  }
  gateway.clock.advance(15 * DAY)
  const first = await gateway.call('erasure_sweep')
  assert.deepEqual(
    first.removed.map(({ tenantId }: { tenantId: string }) => tenantId),
    ['good'],
  )
  assert.deepEqual(first.failed, [{ tenantId: 'bad', error: 'the disk does not answer' }])
  assert.equal(await statusOf(gateway, 'bad'), 'deleted')
  fault.of = undefined
  await gateway.restart()
  const second = await gateway.call('erasure_sweep')
  assert.equal(second.removed[0].counted.tasks, 5, 'counted before anything went')
  assert.equal(second.removed[0].counted['shelf.files'], 1)
  assert.deepEqual([...kept], [])
})

test('what comes to lie outside the store after the end goes with the next sweep, and is proven too', async () => {
  const kept = new Set<string>()
  const shelf = contribute(externalData, {
    create: () => ({
      name: 'shelf.files',
      count: async (tenantId) => (kept.has(tenantId) ? 1 : 0),
      remove: async (tenantId) => void kept.delete(tenantId),
    }),
  })
  const plugin = definePlugin({ id: 'shelf', sdk: '^1.0.0', description: 'Keeps files.', contributes: [shelf] })
  await using gateway = await start({ plugins: [plugin] })
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(15 * DAY)
  await gateway.call('erasure_sweep')
  kept.add('acme')
  gateway.clock.advance(3_600)
  await gateway.call('erasure_sweep')
  assert.deepEqual([...kept], [])
  assert.equal((await gateway.audit()).filter(({ name }) => name === 'tenant.removed-late').length, 1)
  await gateway.call('erasure_sweep')
  assert.equal((await gateway.audit()).filter(({ name }) => name === 'tenant.removed-late').length, 1)
})

test('who waits for an erasure hears how far it is, and has as long as it takes', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(15 * DAY)
  const params = { name: 'erasure_sweep', arguments: {}, _meta: { progressToken: 'p' } }
  const { body } = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  })
  const [first, ...more] = [...body.matchAll(/"progress":(\d+),"message":"documents removed"/g)].map(([, removed]) => Number(removed))
  assert.equal(first, 0)
  assert.ok((more.at(-1) ?? 0) > 5, body)
})

test('sweeps of one moment prove a removal once', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'erasure')
  gateway.clock.advance(15 * DAY)
  await Promise.all([gateway.call('erasure_sweep'), gateway.runJob('tenant-end.hourly'), gateway.call('erasure_sweep')])
  assert.equal((await proofs(gateway)).length, 1)
})

test('it is for the operator alone, also where roles are not enforced', async () => {
  await using gateway = await start()
  for (const name of ['erasure_sweep', 'cancellation_purge_sweep', 'data_retention_purge', 'mrr_snapshot_sweep'])
    await assert.rejects(gateway.call(name, {}, { as: { tenantId: 'acme', kind: 'api-key', role: 'owner' } }), { code: 'FORBIDDEN' })
})
