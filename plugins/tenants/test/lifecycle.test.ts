import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntheticTenant, type Tenant } from '@gateway/sdk'
import { admin, assertNamesField, assertRefused, create, get, start, whoIs } from './support.ts'

const later = '2026-01-05T09:01:00.000Z'

test('GET /api/tenants: {count, tenants}, by id, suspended ones included', async () => {
  await using gateway = await start()
  assert.deepEqual((await admin(gateway, 'GET', '/api/tenants')).json(), { count: 0, tenants: [] })
  for (const tenantId of ['b', 'a', 'c']) await create(gateway, { tenantId })
  await gateway.call('tenant_suspend', { targetTenantId: 'b' })
  const { count, tenants } = (await admin(gateway, 'GET', '/api/tenants')).json()
  assert.deepEqual([count, tenants], [3, await Promise.all(['a', 'b', 'c'].map((tenantId) => get(gateway, tenantId)))])
})

test('GET /api/tenants in pages: each tenant once, by id, and no synthetic one', async () => {
  await using gateway = await start()
  for (const tenantId of ['c', 'a', 'e', 'b', 'd']) await create(gateway, { tenantId })
  await gateway.tenants.create({ name: 'probe', plan: 'free', tenantId: syntheticTenant('probe'), synthetic: true })
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '2', ...(cursor !== undefined && { cursor }) })
    const page = (await admin(gateway, 'GET', `/api/tenants?${query}`)).json()
    assert.equal(page.count, page.tenants.length)
    pages.push(page.tenants.map(({ tenantId }: { tenantId: string }) => tenantId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(pages.flat(), ['a', 'b', 'c', 'd', 'e'])
  assert.ok(pages.every((page) => page.length <= 2))
  assertNamesField(await admin(gateway, 'GET', '/api/tenants?cursor=none'), 'cursor')
})

test('GET /api/tenants/:targetTenantId: one tenant, 404 for an unknown one', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  assert.deepEqual((await admin(gateway, 'GET', '/api/tenants/acme')).json(), { tenant })
  for (const tenantId of ['nobody', 'local', '_gateway', '%2e%2e'])
    assertRefused(await admin(gateway, 'GET', `/api/tenants/${tenantId}`), 404, 'NOT_FOUND')
})

test('PATCH changes the plan, the legal hold, or both, and nothing else', async () => {
  await using gateway = await start()
  const { tenant, apiKey } = await create(gateway)
  gateway.clock.advance(60)
  const patch = async (body: object) => (await admin(gateway, 'PATCH', '/api/tenants/acme', body)).json().tenant
  assert.deepEqual(await patch({ plan: 'solo' }), { ...tenant, plan: 'solo', updatedAt: later })
  // The clock stands still; each update is later than the one before all the same.
  const again = (milliseconds: number): string => new Date(Date.parse(later) + milliseconds).toISOString()
  assert.deepEqual(await patch({ legalHold: true }), { ...tenant, plan: 'solo', legalHold: true, updatedAt: again(1) })
  assert.deepEqual(await patch({ legalHold: false, plan: 'scale' }), { ...tenant, plan: 'scale', updatedAt: again(2) })
  assert.deepEqual(await get(gateway), { ...tenant, plan: 'scale', updatedAt: again(2) })
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
  await gateway.call('tenant_suspend', { targetTenantId: 'acme' })
  assert.equal((await patch({ legalHold: true })).status, 'suspended', 'a suspended tenant can be held too')
})

test('PATCH with what already is, or with nothing, changes nothing', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  gateway.clock.advance(60)
  for (const body of [{}, { plan: 'free' }, { legalHold: false }, { plan: 'free', legalHold: false }]) {
    assert.deepEqual((await admin(gateway, 'PATCH', '/api/tenants/acme', body)).json(), { tenant })
  }
})

test('PATCH refuses bad input with its field, and an unknown tenant', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  for (const [field, body] of [
    ['plan', { plan: 'gold' }],
    ['plan', { plan: 7 }],
    ['legalHold', { legalHold: 'yes' }],
    ['name', { name: 'Renamed' }],
    ['status', { plan: 'solo', status: 'deleted' }],
  ] as const) {
    assertNamesField(await admin(gateway, 'PATCH', '/api/tenants/acme', body), field)
  }
  assert.deepEqual(await get(gateway), tenant)
  assertRefused(await admin(gateway, 'PATCH', '/api/tenants/nobody', { plan: 'solo' }), 404, 'NOT_FOUND')
})

test('an erasure request is recorded; asked for again, the first one stands', async () => {
  await using gateway = await start()
  const { tenant, apiKey } = await create(gateway)
  gateway.clock.advance(60)
  const requested = { tenant: { ...tenant, erasureRequestedAt: later, updatedAt: later } }
  assert.deepEqual((await admin(gateway, 'POST', '/api/tenants/acme/erasure')).json(), requested)
  gateway.clock.advance(60)
  assert.deepEqual((await admin(gateway, 'POST', '/api/tenants/acme/erasure')).json(), requested)
  assert.deepEqual(await get(gateway), requested.tenant)
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme', 'until the grace window has passed it is an active tenant')
})

test('a cancellation is recorded; cancelled again, the first time stands; reactivating starts anew', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway)
  gateway.clock.advance(60)
  const cancelled = { tenant: { ...tenant, cancelledAt: later, updatedAt: later } }
  assert.deepEqual((await admin(gateway, 'POST', '/api/tenants/acme/cancel')).json(), cancelled)
  gateway.clock.advance(60)
  assert.deepEqual((await admin(gateway, 'POST', '/api/tenants/acme/cancel')).json(), cancelled)
  await admin(gateway, 'POST', '/api/tenants/acme/reactivate')
  assert.equal((await admin(gateway, 'POST', '/api/tenants/acme/cancel')).json().tenant.cancelledAt, '2026-01-05T09:02:00.000Z')
})

test('every route that changes a tenant answers 404 for an unknown one, and is audited', async () => {
  await using gateway = await start()
  const routes = ['suspend', 'reactivate', 'erasure', 'cancel']
  for (const route of routes) assertRefused(await admin(gateway, 'POST', `/api/tenants/nobody/${route}`), 404, 'NOT_FOUND')
  const rows = (await gateway.audit()).map(({ tool, decision, principal }) => ({ tool, decision, by: (principal as { id: string }).id }))
  const names = ['tenants.suspend', 'tenants.reactivate', 'tenants.request-erasure', 'tenants.cancel']
  assert.deepEqual(
    rows,
    names.map((tool) => ({ tool, decision: 'NOT_FOUND', by: 'admin' })),
  )
})

test('every route of the operator needs X-Admin-Token, and is off where none is set', async () => {
  await using gateway = await start()
  await using bare = await start({ env: {} })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/acme'],
    ['PATCH', '/acme'],
    ['POST', '/acme/suspend'],
    ['POST', '/acme/reactivate'],
    ['POST', '/acme/keys'],
    ['POST', '/acme/rotate-key'],
    ['POST', '/acme/erasure'],
    ['POST', '/acme/cancel'],
  ] as const) {
    const url = `/api/tenants${path}`
    assertRefused(await gateway.inject({ method, url }), 401, 'UNAUTHORIZED')
    assertRefused(await gateway.inject({ method, url, headers: { 'x-admin-token': '' } }), 401, 'UNAUTHORIZED')
    assertRefused(await bare.inject({ method, url, headers: { 'x-admin-token': 'any' } }), 503, 'ADMIN_DISABLED')
  }
})

test('a change with an updatedAt that is past is refused and changes nothing', async () => {
  await using gateway = await start()
  const { updatedAt } = (await create(gateway)).tenant as Tenant
  const patch = (body: object) => admin(gateway, 'PATCH', '/api/tenants/acme', body)
  const { tenant } = (await patch({ plan: 'solo', ifUpdatedAt: updatedAt })).json()
  assert.equal(tenant.plan, 'solo')
  for (const plan of ['scale', 'solo']) assertRefused(await patch({ plan, ifUpdatedAt: updatedAt }), 409, 'CONFLICT')
  assert.deepEqual(await get(gateway), tenant)
})
