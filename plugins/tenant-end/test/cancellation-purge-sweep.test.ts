import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ask, DAY, proofs, start, statusOf, tenant } from './support.ts'

test('a cancelled tenant goes when its grace time is over, its audit trail too', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'cancel')
  gateway.clock.advance(30 * DAY)
  assert.equal((await gateway.call('cancellation_purge_sweep')).count, 0)
  gateway.clock.advance(1)
  assert.equal((await gateway.call('erasure_sweep')).count, 0, 'nobody asked for an erasure')
  assert.equal((await gateway.call('cancellation_purge_sweep')).count, 1)
  assert.deepEqual(Object.values(await gateway.documents('acme')).flat(), [])
  assert.ok(!existsSync(join(gateway.dataDir, 'audit', 'acme')))
  assert.equal((await proofs(gateway)).length, 1)
})

test('a tenant that was reactivated in time stays', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'cancel')
  gateway.clock.advance(31 * DAY)
  await ask(gateway, 'acme', 'reactivate')
  assert.equal((await gateway.call('cancellation_purge_sweep')).count, 0)
  assert.equal(await statusOf(gateway, 'acme'), 'active')
})

test('a tenant under legal hold is skipped', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'cancel')
  await gateway.tenants.change('acme', { legalHold: true })
  gateway.clock.advance(31 * DAY)
  assert.deepEqual((await gateway.call('cancellation_purge_sweep')).held, ['acme'])
  assert.equal(await statusOf(gateway, 'acme'), 'active')
})

test('it happens by itself', async () => {
  await using gateway = await start()
  await tenant(gateway, 'acme')
  await ask(gateway, 'acme', 'cancel')
  gateway.clock.advance(31 * DAY)
  await gateway.runJob('tenant-end.hourly')
  assert.equal(await statusOf(gateway, 'acme'), 'deleted')
  assert.deepEqual(Object.values(await gateway.documents('acme')).flat(), [])
})
