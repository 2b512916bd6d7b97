import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, DAY, start, tenant } from './support.ts'

test('one snapshot for each tenant and UTC day; a second run writes over that day’s', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await gateway.tenants.create({ tenantId: 'beta', name: 'Beta', plan: 'solo' })
  const day = gateway.clock.now() && '2026-01-05'
  assert.deepEqual(await gateway.call('mrr_snapshot_sweep'), { day, count: 2, totalUsd: 120 })
  await gateway.tenants.change('beta', { plan: 'scale' })
  assert.deepEqual(await gateway.call('mrr_snapshot_sweep'), { day, count: 2, totalUsd: 600 })
  gateway.clock.advance(DAY)
  assert.equal((await gateway.call('mrr_snapshot_sweep')).day, '2026-01-06')
  const kept = (await gateway.documents('_gateway'))['tenant-end.mrr'] as { tenantId: string; day: string; mrrUsd: number }[]
  assert.deepEqual(
    kept.map(({ tenantId, day, mrrUsd }) => [tenantId, day, mrrUsd]),
    [
      ['acme', '2026-01-05', 100],
      ['acme', '2026-01-06', 100],
      ['beta', '2026-01-05', 500],
      ['beta', '2026-01-06', 500],
    ],
  )
})

test('a deleted tenant gets none and keeps none; a suspended or cancelled one brings nothing', async () => {
  await using gateway = await start()
  for (const id of ['gone', 'asleep', 'leaving']) await gateway.tenants.create({ tenantId: id, name: id, plan: 'team' })
  await gateway.call('mrr_snapshot_sweep')
  await gateway.tenants.suspend('asleep')
  await ask(gateway, 'leaving', 'cancel')
  await ask(gateway, 'gone', 'erasure')
  gateway.clock.advance(15 * DAY)
  await gateway.call('erasure_sweep')
  const { count, totalUsd } = await gateway.call('mrr_snapshot_sweep')
  assert.deepEqual([count, totalUsd], [2, 0])
  const kept = (await gateway.documents('_gateway'))['tenant-end.mrr'] as { tenantId: string }[]
  assert.ok(!kept.some(({ tenantId }) => tenantId === 'gone'))
})

test('the snapshots are read as the revenue of each day and of each plan, by the operator alone', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await gateway.tenants.create({ tenantId: 'beta', name: 'Beta', plan: 'solo' })
  await gateway.call('mrr_snapshot_sweep')
  gateway.clock.advance(DAY)
  await gateway.tenants.change('beta', { plan: 'scale' })
  await gateway.call('mrr_snapshot_sweep')
  const revenue = async (query = '') => await gateway.inject({ method: 'GET', url: `/api/tenant-end/revenue${query}` })
  assert.deepEqual((await revenue()).json(), {
    days: [
      { day: '2026-01-05', tenants: 2, mrrUsd: 120 },
      { day: '2026-01-06', tenants: 2, mrrUsd: 600 },
    ],
    plans: [
      { plan: 'scale', tenants: 1, mrrUsd: 500 },
      { plan: 'team', tenants: 1, mrrUsd: 100 },
    ],
  })
  assert.equal((await revenue('?days=1')).json().days.length, 1)
  const refused = await revenue('?days=0')
  assert.deepEqual([refused.status, refused.json().details.field], [400, 'days'])
  await assert.rejects(gateway.call('tenant-end.revenue', {}, { as: { tenantId: 'acme', role: 'admin' } }), { code: 'FORBIDDEN' })
})
