import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@gateway/sdk'
import { health, provider, start } from './support.ts'

const owner = (tenantId: string): { as: Partial<Principal> } => ({
  as: { tenantId, id: `owner-of-${tenantId}`, kind: 'api-key', role: 'owner' },
})

test('a tenant changes nothing of a provider, not even with roles in shadow; a key of the operator’s own tenant does', async () => {
  await using gateway = await start({ api: provider('http://127.0.0.1:9/v1') })
  for (const tool of ['provider_reset', 'provider_maintenance_enter', 'provider_maintenance_exit']) {
    const refusal = { code: 'FORBIDDEN', message: new RegExp(`^${tool} needs the capability operator`) }
    await assert.rejects(gateway.call(tool, { provider: 'api' }, owner('acme')), refusal)
    await gateway.call(tool, { provider: 'api' }, owner('local'))
  }
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  await assert.rejects(gateway.call('provider_maintenance_exit', { provider: 'api' }, owner('acme')), { code: 'FORBIDDEN' })
  assert.equal((await health(gateway, 'api')).status, 'maintenance')
})

test('maintenance keeps the principal beside the name of who entered it, over a restart too', async () => {
  await using gateway = await start({ api: provider('http://127.0.0.1:9/v1') })
  await gateway.call('provider_maintenance_enter', { provider: 'api', operator: 'ann' }, owner('local'))
  await gateway.restart()
  const { operator, operatorPrincipal } = (await health(gateway, 'api')).maintenance
  assert.deepEqual([operator, operatorPrincipal], ['ann', 'api-key owner-of-local'])
})
