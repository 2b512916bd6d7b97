import assert from 'node:assert/strict'
import { test } from 'node:test'
import entitlements from '@gateway/plugin-entitlements'
import tenants from '../src/index.ts'
import { admin, assertRefused, create, start } from './support.ts'

const whoami = { method: 'GET', url: '/api/auth/whoami' }
const capabilities = {
  viewer: ['read'],
  member: ['read', 'work'],
  admin: ['read', 'work', 'configure', 'members'],
  owner: ['read', 'work', 'configure', 'members', 'billing'],
}

for (const [role, held] of Object.entries(capabilities)) {
  test(`a key of the role ${role}: its tenant, plan, role and what it may do`, async () => {
    await using gateway = await start()
    await create(gateway, { plan: 'team' })
    const { apiKey } = (await admin(gateway, 'POST', '/api/tenants/acme/keys', { role })).json()
    const { principal, ...answer } = (await gateway.inject({ ...whoami, headers: { 'x-api-key': apiKey } })).json()
    assert.deepEqual(answer, { tenantId: 'acme', tenantName: 'Acme', plan: 'team', role, capabilities: held, quota: {} })
    assert.equal(principal.kind, 'api-key')
    assert.ok(apiKey.includes(principal.id.replace('key:', '')), 'the id names the key')
  })
}

test('the local operator holds everything, in the tenant local', async () => {
  await using gateway = await start()
  assert.deepEqual((await gateway.inject(whoami)).json(), {
    tenantId: 'local',
    tenantName: 'local',
    plan: 'scale',
    role: 'operator',
    principal: { id: 'operator', kind: 'operator' },
    capabilities: [...capabilities.owner, 'operator'],
    quota: {},
  })
})

test('a key that is not valid is 401', async () => {
  await using gateway = await start()
  assertRefused(await gateway.inject({ ...whoami, headers: { 'x-api-key': 'gw_live_nonsense' } }), 401, 'UNAUTHORIZED')
})

test('the quota has the limits of the plan and what is used of them; of the local tenant none', async () => {
  await using gateway = await start({
    plugins: [tenants, entitlements],
    config: { entitlements: { plans: { scale: { limits: { repos: 1 } } } } },
  })
  const { apiKey } = await create(gateway, { plan: 'solo' })
  const { quota } = (await gateway.inject({ ...whoami, headers: { 'x-api-key': apiKey } })).json()
  assert.deepEqual(quota.repos, { limit: 10, used: null, remaining: 10 })
  assert.deepEqual(quota.generationCredits, { limit: 100, used: 0, remaining: 100, resetsAt: '2026-02-01T00:00:00.000Z' })
  assert.deepEqual((await gateway.inject(whoami)).json().quota.repos, { limit: null, used: null, remaining: null })
})
