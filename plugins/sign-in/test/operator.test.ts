import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, ask, assertRefused, browser, type Headers, jar, key, start, whoIs } from './support.ts'

const lift = (gateway: Parameters<typeof ask>[0], who: Headers) =>
  ask(gateway, 'POST', '/api/sign-in/lift', { ...who, 'x-admin-token': ADMIN })

test('the operator’s token lifts a session for 15 minutes: it uses the operator’s routes without it, and lifts nothing itself', async () => {
  await using gateway = await start()
  const [mine, other] = [await browser(gateway, (await key(gateway)).apiKey), await browser(gateway, (await key(gateway)).apiKey)]
  const tenants = (who: Headers) => ask(gateway, 'GET', '/api/tenants', who)
  assertRefused(await tenants(mine), 401, 'UNAUTHORIZED')
  assertRefused(
    await ask(gateway, 'POST', '/api/sign-in/lift', { ...mine, 'x-admin-token': 'a-wrong-token-of-the-tests' }),
    401,
    'UNAUTHORIZED',
  )
  const lifted = await lift(gateway, mine)
  assert.deepEqual([lifted.status, lifted.json().session.liftedUntil], [200, '2026-01-05T09:15:00.000Z'])
  assert.equal((await tenants(mine)).status, 200)
  assertRefused(await tenants(other), 401, 'UNAUTHORIZED')
  assert.equal(await whoIs(gateway, mine), 'owner of acme', 'elsewhere it stays who it is')
  gateway.clock.advance(60)
  const { lift: left } = (await ask(gateway, 'GET', '/api/sign-in', mine)).json()
  assert.deepEqual(left, { until: '2026-01-05T09:15:00.000Z', secondsLeft: 14 * 60 })
  assertRefused(await ask(gateway, 'POST', '/api/sign-in/lift', mine), 403, 'FORBIDDEN')
  assertRefused(await ask(gateway, 'POST', '/api/tenants/acme/suspend', { cookie: mine.cookie as string }), 403, 'FORBIDDEN')
  gateway.clock.advance(14 * 60)
  assertRefused(await tenants(mine), 401, 'UNAUTHORIZED')
  assert.equal(await whoIs(gateway, mine), 'owner of acme', 'it is not signed out by that')
  assert.ok((await gateway.audit('local')).some(({ name }) => name === 'session.lifted'))
})

test('a lift is given back before its time; without a session there is nothing to lift', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  await lift(gateway, mine)
  const response = await ask(gateway, 'DELETE', '/api/sign-in/lift', mine)
  assert.deepEqual([response.status, response.json().session.liftedUntil], [200, undefined])
  assertRefused(await ask(gateway, 'GET', '/api/tenants', mine), 401, 'UNAUTHORIZED')
  assertRefused(await lift(gateway, {}), 403, 'FORBIDDEN')
})

test('what shows a key needs local trust besides a lifted session, as besides the token', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  await lift(gateway, mine)
  assertRefused(await ask(gateway, 'POST', '/api/tenants/acme/keys', mine, {}), 403, 'FORBIDDEN')
  assert.equal((await gateway.inject({ method: 'POST', url: '/api/tenants/acme/keys', headers: mine, body: {} })).status, 201)
})

test('the operator looks at a tenant as a viewer unless said, which the tenant sees, and comes back to what the browser was', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  const beta = await browser(gateway, (await key(gateway, { tenantId: 'beta' })).apiKey)
  assertRefused(await ask(gateway, 'POST', '/api/sign-in/look/beta', mine), 401, 'UNAUTHORIZED')
  await lift(gateway, mine)
  const look = await ask(gateway, 'POST', '/api/sign-in/look/beta', mine)
  assert.equal(look.status, 201, look.body)
  const looking = jar(look)
  assert.equal(await whoIs(gateway, looking), 'viewer of beta')
  const { sessions } = (await ask(gateway, 'GET', '/api/sign-ins', beta)).json()
  assert.ok(sessions.some(({ lookedBy, who }: { lookedBy?: string; who: string }) => lookedBy !== undefined && who === 'operator'))
  assertRefused(await ask(gateway, 'POST', '/api/keys', looking, {}), 403, 'FORBIDDEN')
  const record = (await gateway.audit('local')).find(({ name }) => name === 'session.look') as {
    details: { targetTenantId: string; role: string }
  }
  assert.deepEqual([record.details.targetTenantId, record.details.role], ['beta', 'viewer'])

  const left = await ask(gateway, 'DELETE', '/api/sign-in/look', looking)
  assert.equal(left.status, 200, left.body)
  assert.equal(await whoIs(gateway, jar(look, left)), 'owner of acme')
  assert.equal(await whoIs(gateway, looking), 'UNAUTHORIZED', 'the session in the tenant has ended')
  assertRefused(await ask(gateway, 'DELETE', '/api/sign-in/look', mine), 403, 'FORBIDDEN')
})

test('a look with another role acts with it, and is in the tenant’s own trail; it ends after an hour, and needs an active tenant', async () => {
  await using gateway = await start()
  await key(gateway)
  const look = (role: string, tenant = 'acme') =>
    gateway.inject({ method: 'POST', url: `/api/sign-in/look/${tenant}?role=${role}`, headers: { 'x-admin-token': ADMIN } })
  const looking = jar(await look('admin'))
  assert.equal((await ask(gateway, 'POST', '/api/keys', looking, { role: 'viewer' })).status, 201)
  const record = (await gateway.audit('acme')).findLast(({ tool }) => tool === 'keys.make') as { principal: Record<string, string> }
  assert.deepEqual([record.principal.id, record.principal.role, record.principal.session !== undefined], ['operator', 'admin', true])
  assertRefused(await look('operator'), 400, 'BAD_REQUEST')
  assertRefused(await look('viewer', 'nobody'), 404, 'NOT_FOUND')
  gateway.clock.advance(3_600)
  assert.equal(await whoIs(gateway, looking), 'UNAUTHORIZED')
  await gateway.tenants.suspend('acme')
  assertRefused(await look('viewer'), 409, 'CONFLICT')
})
