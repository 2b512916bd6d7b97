import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, create, get, start, whoIs } from './support.ts'

const reactivate = { targetTenantId: 'acme' }

test('a suspended tenant is active again, without its suspension, and its keys work from the next call on', async () => {
  await using gateway = await start()
  const { tenant, apiKey } = await create(gateway)
  await gateway.call('tenant_suspend', { ...reactivate, reason: 'unpaid' })
  gateway.clock.advance(60)
  const active = await gateway.call('tenant_reactivate', reactivate)
  assert.deepEqual(active, { tenant: { ...tenant, updatedAt: '2026-01-05T09:01:00.000Z' } })
  assert.deepEqual(await get(gateway), active.tenant)
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
  await gateway.restart()
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
})

test('it clears a pending cancellation purge, of a suspended tenant and of an active one', async () => {
  await using gateway = await start()
  for (const suspended of [true, false]) {
    const tenantId = suspended ? 'suspended' : 'active'
    await create(gateway, { tenantId })
    const { tenant } = (await admin(gateway, 'POST', `/api/tenants/${tenantId}/cancel`)).json()
    assert.equal(tenant.cancelledAt, '2026-01-05T09:00:00.000Z')
    if (suspended) await gateway.call('tenant_suspend', { targetTenantId: tenantId })
    const active = await gateway.call('tenant_reactivate', { targetTenantId: tenantId })
    assert.deepEqual([active.tenant.status, 'cancelledAt' in active.tenant], ['active', false])
    assert.equal('cancelledAt' in (await get(gateway, tenantId)), false)
  }
})

test('reactivating an active tenant succeeds and changes nothing', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  gateway.clock.advance(60)
  assert.deepEqual(await gateway.call('tenant_reactivate', reactivate), { tenant })
  assert.deepEqual(await get(gateway), tenant)
})

test('it acts on targetTenantId; a tenantId argument is discarded', async () => {
  await using gateway = await start()
  for (const tenantId of ['acme', 'other']) {
    await create(gateway, { tenantId })
    await gateway.call('tenant_suspend', { targetTenantId: tenantId })
  }
  await gateway.call('tenant_reactivate', { targetTenantId: 'acme', tenantId: 'other' })
  assert.deepEqual([(await get(gateway, 'acme')).status, (await get(gateway, 'other')).status], ['active', 'suspended'])
})

test('an unknown tenant is NOT_FOUND, a wrong argument is refused with its name', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('tenant_reactivate', { targetTenantId: 'nobody' }), { code: 'NOT_FOUND', status: 404 })
  for (const [field, args] of [
    ['targetTenantId', {}],
    ['targetTenantId', { targetTenantId: null }],
    ['reason', { targetTenantId: 'acme', reason: 'paid' }],
  ] as const) {
    await assert.rejects(gateway.call('tenant_reactivate', args), (error: { code: string; details: { field: string } }) => {
      assert.deepEqual([error.code, error.details.field], ['BAD_REQUEST', field])
      return true
    })
  }
})

test('POST /api/tenants/:targetTenantId/reactivate does the same', async () => {
  await using gateway = await start()
  const { tenant, apiKey } = await create(gateway)
  await gateway.call('tenant_suspend', reactivate)
  const response = await admin(gateway, 'POST', '/api/tenants/acme/reactivate')
  const updatedAt = new Date(Date.parse(String(tenant.updatedAt)) + 2).toISOString()
  assert.deepEqual([response.status, response.json()], [200, { tenant: { ...tenant, updatedAt } }])
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
})
