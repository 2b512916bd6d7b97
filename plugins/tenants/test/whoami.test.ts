import assert from 'node:assert/strict'
import { test } from 'node:test'
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
