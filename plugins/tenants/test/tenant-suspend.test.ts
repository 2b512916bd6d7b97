import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, create, get, start, whoIs } from './support.ts'

test('the tenant is suspended, with the time and the reason', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  gateway.clock.advance(60)
  const suspended = await gateway.call('tenant_suspend', { targetTenantId: 'acme', reason: 'unpaid' })
  const at = '2026-01-05T09:01:00.000Z'
  assert.deepEqual(suspended, { tenant: { ...tenant, status: 'suspended', suspendedAt: at, suspendReason: 'unpaid', updatedAt: at } })
  assert.deepEqual(await get(gateway), suspended.tenant)
})

test('a reason is optional', async () => {
  await using gateway = await start()
  await create(gateway)
  const { tenant } = await gateway.call('tenant_suspend', { targetTenantId: 'acme' })
  assert.deepEqual([tenant.status, 'suspendReason' in tenant], ['suspended', false])
})

test('every key of the tenant is refused from the next call on, also after a restart; other tenants are not touched', async () => {
  await using gateway = await start()
  const { apiKey: first } = await create(gateway)
  const { apiKey: second } = (await admin(gateway, 'POST', '/api/tenants/acme/keys', { role: 'viewer', environment: 'test' })).json()
  const { apiKey: other } = await create(gateway, { tenantId: 'other' })
  assert.deepEqual([await whoIs(gateway, first), await whoIs(gateway, second)], ['owner of acme', 'viewer of acme'])
  await gateway.call('tenant_suspend', { targetTenantId: 'acme' })
  const refused = async () => {
    assert.deepEqual([await whoIs(gateway, first), await whoIs(gateway, second)], ['TENANT_SUSPENDED', 'TENANT_SUSPENDED'])
    assert.equal(await whoIs(gateway, other), 'owner of other')
  }
  await refused()
  await gateway.restart()
  await refused()
})

test('suspending again succeeds and changes nothing: the first reason and time stay', async () => {
  await using gateway = await start()
  await create(gateway)
  const first = await gateway.call('tenant_suspend', { targetTenantId: 'acme', reason: 'unpaid' })
  gateway.clock.advance(60)
  assert.deepEqual(await gateway.call('tenant_suspend', { targetTenantId: 'acme', reason: 'abuse' }), first)
  assert.deepEqual(await get(gateway), first.tenant)
})

test('it acts on targetTenantId; a tenantId argument is discarded', async () => {
  await using gateway = await start()
  await create(gateway)
  await create(gateway, { tenantId: 'other' })
  const { tenant } = await gateway.call('tenant_suspend', { targetTenantId: 'acme', tenantId: 'other' })
  assert.equal(tenant.tenantId, 'acme')
  assert.deepEqual([(await get(gateway, 'acme')).status, (await get(gateway, 'other')).status], ['suspended', 'active'])
})

test('an unknown tenant is NOT_FOUND; the local tenant has no record and cannot be suspended', async () => {
  await using gateway = await start()
  for (const targetTenantId of ['nobody', 'local', '_gateway', '../acme']) {
    await assert.rejects(gateway.call('tenant_suspend', { targetTenantId }), { code: 'NOT_FOUND', status: 404 }, targetTenantId)
  }
})

test('a wrong argument is refused with its name, and nothing changes', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  for (const [field, args] of [
    ['targetTenantId', {}],
    ['targetTenantId', { tenantId: 'acme' }],
    ['targetTenantId', { targetTenantId: '' }],
    ['targetTenantId', { targetTenantId: 7 }],
    ['targetTenantId', { targetTenantId: 'a'.repeat(65) }],
    ['reason', { targetTenantId: 'acme', reason: 7 }],
    ['reason', { targetTenantId: 'acme', reason: 'x'.repeat(501) }],
    ['why', { targetTenantId: 'acme', why: 'unpaid' }],
  ] as const) {
    await assert.rejects(gateway.call('tenant_suspend', args), (error: { code: string; details: { field: string } }) => {
      assert.deepEqual([error.code, error.details.field], ['BAD_REQUEST', field], JSON.stringify(args))
      return true
    })
  }
  assert.deepEqual(await get(gateway), tenant)
})

test('an owner of the tenant may neither suspend nor reactivate it, in shadow mode either', async () => {
  await using gateway = await start()
  await create(gateway)
  const as = { tenantId: 'acme', role: 'owner', kind: 'user', id: 'ann' } as const
  for (const tool of ['tenant_suspend', 'tenant_reactivate']) {
    await assert.rejects(gateway.call(tool, { targetTenantId: 'acme' }, { as }), { code: 'FORBIDDEN' })
  }
  assert.equal((await get(gateway)).status, 'active')
})

test('POST /api/tenants/:targetTenantId/suspend does the same', async () => {
  await using gateway = await start()
  const { apiKey } = await create(gateway)
  const response = await admin(gateway, 'POST', '/api/tenants/acme/suspend', { reason: 'unpaid' })
  assert.deepEqual([response.status, response.json()], [200, { tenant: await get(gateway) }])
  assert.equal(response.json().tenant.suspendReason, 'unpaid')
  assert.equal(await whoIs(gateway, apiKey), 'TENANT_SUSPENDED')
  assert.deepEqual((await admin(gateway, 'POST', '/api/tenants/acme/suspend')).json(), response.json(), 'again, without a body')
})

test('a suspension and a reactivation at once: the record and what callers meet agree', async () => {
  await using gateway = await start()
  const { apiKey } = await create(gateway)
  for (let round = 0; round < 10; round++) {
    const tools = ['tenant_suspend', 'tenant_reactivate', 'tenant_suspend', 'tenant_reactivate'].slice(round % 2)
    await Promise.all(tools.map((tool) => gateway.call(tool, { targetTenantId: 'acme' })))
    const { status } = await get(gateway)
    assert.equal(await whoIs(gateway, apiKey), status === 'active' ? 'owner of acme' : 'TENANT_SUSPENDED')
  }
})
