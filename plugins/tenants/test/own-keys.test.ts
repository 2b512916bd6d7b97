import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { admin, assertNamesField, assertRefused, create, start, whoIs } from './support.ts'

const enforced = { env: { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', RBAC_ENFORCE: 'on' } }
const ask = (gateway: TestGateway, apiKey: string, method: string, url: string, body?: object) =>
  gateway.inject({ method, url, headers: { 'x-api-key': apiKey }, ...(body && { body }) })

test('a tenant’s admin makes a key for an agent, sees it listed with its label, and revokes it', async () => {
  await using gateway = await start(enforced)
  const { apiKey: owner } = await create(gateway)
  const made = await ask(gateway, owner, 'POST', '/api/keys', {
    label: 'nightly crawler',
    role: 'member',
    expiresAt: '2026-02-01T00:00:00+01:00',
  })
  const { keyId, apiKey } = made.json()
  assert.deepEqual(
    [made.status, Object.keys(made.json()).sort(), await whoIs(gateway, apiKey)],
    [201, ['apiKey', 'keyId'], 'member of acme'],
  )

  gateway.clock.advance(90)
  await whoIs(gateway, apiKey)
  const { count, keys } = (await ask(gateway, owner, 'GET', '/api/keys')).json()
  assert.equal(count, 2)
  assert.deepEqual(
    keys.find((key: { keyId: string }) => key.keyId === keyId),
    {
      keyId,
      label: 'nightly crawler',
      madeBy: `key:${owner.split('_')[2]}`,
      role: 'member',
      environment: 'live',
      createdAt: '2026-01-05T09:00:00.000Z',
      lastUsedAt: '2026-01-05T09:01:30.000Z',
      expiresAt: '2026-01-31T23:00:00.000Z',
    },
  )
  assert.ok(!JSON.stringify(keys).includes(apiKey.slice(-20)), 'no list shows a key')
  assert.deepEqual((await admin(gateway, 'GET', '/api/tenants/acme/keys')).json().keys, keys, 'the operator sees the same')

  const revoked = await ask(gateway, owner, 'DELETE', `/api/keys/${keyId}`)
  assert.deepEqual([revoked.status, revoked.json().key.label], [200, 'nightly crawler'])
  assert.deepEqual([await whoIs(gateway, apiKey), await whoIs(gateway, owner)], ['UNAUTHORIZED', 'owner of acme'], 'that one alone')
  assertRefused(await ask(gateway, owner, 'DELETE', `/api/keys/${keyId}`), 404, 'NOT_FOUND')
  await gateway.restart()
  assert.deepEqual([await whoIs(gateway, apiKey), await whoIs(gateway, owner)], ['UNAUTHORIZED', 'owner of acme'])
})

test('the operator revokes a single key of a tenant; one of another tenant is not found there', async () => {
  await using gateway = await start(enforced)
  const { apiKey } = await create(gateway)
  await create(gateway, { tenantId: 'beta' })
  const [{ keyId }] = (await admin(gateway, 'GET', '/api/tenants/acme/keys')).json().keys
  assertRefused(await admin(gateway, 'DELETE', `/api/tenants/beta/keys/${keyId}`), 404, 'NOT_FOUND')
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
  assert.equal((await admin(gateway, 'DELETE', `/api/tenants/acme/keys/${keyId}`)).status, 200)
  assert.equal(await whoIs(gateway, apiKey), 'UNAUTHORIZED')
  assert.deepEqual((await admin(gateway, 'GET', '/api/tenants/acme/keys')).json(), { count: 0, keys: [] })
  assertRefused(await admin(gateway, 'GET', '/api/tenants/nobody/keys'), 404, 'NOT_FOUND')
})

test('nobody gives or takes a key of more than the own role, in shadow mode neither; members and viewers none where it is enforced', async () => {
  await using shadow = await start()
  const { apiKey: owner } = await create(shadow)
  const member = (await ask(shadow, owner, 'POST', '/api/keys', { role: 'member' })).json().apiKey
  assertRefused(await ask(shadow, member, 'POST', '/api/keys', { role: 'admin' }), 403, 'FORBIDDEN')
  const { keys } = (await ask(shadow, owner, 'GET', '/api/keys')).json()
  const { keyId } = keys.find(({ role }: { role: string }) => role === 'owner')
  assertRefused(await ask(shadow, member, 'DELETE', `/api/keys/${keyId}`), 403, 'FORBIDDEN')

  await using gateway = await start(enforced)
  const { apiKey: first } = await create(gateway)
  for (const role of ['viewer', 'member'])
    for (const [method, url] of [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['DELETE', '/api/keys/anything'],
    ] as const) {
      const { apiKey } = (await ask(gateway, first, 'POST', '/api/keys', { role })).json()
      assertRefused(await ask(gateway, apiKey, method, url), 403, 'FORBIDDEN')
    }
  const { apiKey: middle } = (await ask(gateway, first, 'POST', '/api/keys', { role: 'admin' })).json()
  assert.equal((await ask(gateway, middle, 'POST', '/api/keys', { role: 'admin' })).status, 201)
  assertRefused(await ask(gateway, middle, 'POST', '/api/keys', { role: 'owner' }), 403, 'FORBIDDEN')
})

test('one tenant sees and revokes nothing of another', async () => {
  await using gateway = await start(enforced)
  const { apiKey: acme } = await create(gateway)
  const { apiKey: beta } = await create(gateway, { tenantId: 'beta' })
  const [{ keyId }] = (await ask(gateway, beta, 'GET', '/api/keys')).json().keys
  assert.ok(!(await ask(gateway, acme, 'GET', '/api/keys')).body.includes(keyId))
  assertRefused(await ask(gateway, acme, 'DELETE', `/api/keys/${keyId}`), 404, 'NOT_FOUND')
  assert.equal(await whoIs(gateway, beta), 'owner of beta')
})

test('a key ends at the time it was given, and stands in no list from then on; an end that is no time, or past, is refused', async () => {
  await using gateway = await start(enforced)
  const { apiKey: owner } = await create(gateway)
  const { apiKey } = (await ask(gateway, owner, 'POST', '/api/keys', { expiresAt: '2026-01-05T09:10:00Z' })).json()
  gateway.clock.advance(599)
  assert.equal(await whoIs(gateway, apiKey), 'member of acme')
  gateway.clock.advance(1)
  assert.equal(await whoIs(gateway, apiKey), 'UNAUTHORIZED')
  assert.equal((await ask(gateway, owner, 'GET', '/api/keys')).json().count, 1)
  for (const expiresAt of [
    'tomorrow',
    '2027-02-30T00:00:00Z',
    '2027-01-01T00:00:00+25:00',
    '2026-13-45T00:00:00Z',
    '2026-03-01',
    '2026-01-05T09:10:00Z',
  ])
    assertNamesField(await ask(gateway, owner, 'POST', '/api/keys', { expiresAt }), 'expiresAt')
  for (const label of [' ', 7, 'x'.repeat(101)]) assertNamesField(await ask(gateway, owner, 'POST', '/api/keys', { label }), 'label')
})

test('a key with an end of its own is replaced by a rotation like any other, whose answer names the new one', async () => {
  await using gateway = await start(enforced)
  const { apiKey: owner } = await create(gateway)
  const { apiKey } = (
    await ask(gateway, owner, 'POST', '/api/keys', { environment: 'test', role: 'admin', expiresAt: '2026-06-01T00:00:00Z' })
  ).json()
  const rotated = (await admin(gateway, 'POST', '/api/tenants/acme/rotate-key', { environment: 'test', graceMinutes: 1 })).json()
  assert.deepEqual([rotated.goesOn, await whoIs(gateway, rotated.apiKey)], [[], 'admin of acme'])
  assert.ok(rotated.apiKey.includes(`_${rotated.keyId}_`))
  gateway.clock.advance(60)
  assert.equal(await whoIs(gateway, apiKey), 'UNAUTHORIZED')
})

test('audit, log and shadow report name the label of the key', async () => {
  await using gateway = await start()
  const { apiKey: owner } = await create(gateway)
  const { apiKey, keyId } = (await ask(gateway, owner, 'POST', '/api/keys', { label: 'nightly “crawler”', role: 'viewer' })).json()
  await ask(gateway, apiKey, 'POST', '/api/keys', { role: 'viewer' })
  const records = await gateway.audit('acme')
  assert.deepEqual(records.at(-2)?.principal, { id: `key:${keyId}`, kind: 'api-key', role: 'viewer', label: 'nightly “crawler”' })
  const [entry] = (await gateway.inject({ method: 'GET', url: '/api/rbac/shadow' })).json().entries
  assert.deepEqual([entry.principal, entry.label], [`key:${keyId}`, 'nightly “crawler”'])
  const line = gateway.logs.find(({ event }) => event === 'rbac.shadow')
  assert.equal(line?.label, 'nightly “crawler”')
})
