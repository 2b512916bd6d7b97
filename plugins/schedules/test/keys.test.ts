import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, MINUTE, owner, start, type TestGateway, target } from './support.ts'

async function withKey() {
  const { plugin, calls } = target()
  const gateway = await start({ plugins: [plugin] })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const { keyId } = await gateway.tenants.issueKey('acme', { role: 'admin', environment: 'live' })
  const schedule = await create(gateway, {}, { as: { id: `key:${keyId}`, kind: 'api-key', role: 'admin', tenantId: 'acme' } })
  return { gateway, calls, keyId, schedule }
}

const passes = async (gateway: TestGateway): Promise<void> => {
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('schedules.tick')
}
const only = async (gateway: TestGateway) => (await gateway.call('schedules_list', {}, { as: owner })).schedules[0]

test('a schedule ends with the key it was made with: it is switched off, and says why', async () => {
  const { gateway, calls, keyId } = await withKey()
  await using _ = gateway
  await passes(gateway)
  assert.equal(calls.length, 1)
  await gateway.tenants.revokeKey('acme', keyId)
  await passes(gateway)
  const { enabled, lastStatus, lastError } = await only(gateway)
  assert.deepEqual([calls.length, enabled, lastStatus], [1, false, 'error'])
  assert.match(lastError, /key it was made with has ended/)
})

test('whoever switches it on again answers for it, and it runs', async () => {
  const { gateway, calls, keyId, schedule } = await withKey()
  await using _ = gateway
  await gateway.tenants.revokeKey('acme', keyId)
  await passes(gateway)
  await gateway.call('schedules_update', { scheduleId: schedule.scheduleId, enabled: true }, { as: { ...owner, role: 'admin' } })
  await passes(gateway)
  assert.deepEqual(
    calls.map(({ principal }) => principal.id),
    ['olga'],
  )
})
