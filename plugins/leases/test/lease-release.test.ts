import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { ADA, acquire, BOB, held, list, release, start } from './support.ts'

const admin = { as: { kind: 'user', role: 'admin' } } as const
const member = { as: { kind: 'user', role: 'member' } } as const

test('its holder gives it back, and the key is free', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, lease), { released: true })
  assert.deepEqual(await list(gateway), [])
  assert.equal((await acquire(gateway, BOB)).lease.epoch, 1)
})

test('another holder or another epoch releases nothing', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, { ...lease, holder: BOB }), { released: false })
  assert.deepEqual(await release(gateway, { ...lease, epoch: 2 }), { released: false })
  assert.deepEqual(await list(gateway), [{ ...lease, stale: false }])
})

test('a second release, and one of a key nobody holds, answer false', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  await release(gateway, lease)
  assert.deepEqual(await release(gateway, lease), { released: false })
  assert.deepEqual(await release(gateway, lease, { force: true }), { released: false })
})

test('a late release of the former holder does not touch the lease of the next', async () => {
  await using gateway = await start()
  const lost = await held(gateway, ADA, { leaseSeconds: 30 })
  gateway.clock.advance(30)
  const lease = await held(gateway, BOB)
  assert.deepEqual(await release(gateway, lost), { released: false })
  assert.deepEqual(await list(gateway), [{ ...lease, stale: false }])
})

test('force releases the lease of another, which the audit trail names', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, { ...lease, holder: BOB }, { force: true }), { released: true })
  assert.deepEqual(await list(gateway), [])
  const [forced] = (await gateway.audit()).filter(({ name }) => name === 'lease.forced')
  assert.deepEqual(forced?.details, { key: 'deploy', holder: ADA, epoch: 1 })
})

test('force with the wrong epoch releases nothing: the lease it was meant for is over', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, { ...lease, holder: BOB, epoch: 7 }, { force: true }), { released: false })
  assert.deepEqual(await release(gateway, { ...lease, epoch: 7 }, { force: true }), { released: false })
  assert.equal((await list(gateway)).length, 1)
})

test('force needs configure, a release of one’s own needs work', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  const lease = await held(gateway, ADA)
  await assert.rejects(release(gateway, { ...lease, holder: BOB }, { force: true }, member), refusal('FORBIDDEN'))
  await assert.rejects(release(gateway, lease, {}, { as: { kind: 'user', role: 'viewer' } }), refusal('FORBIDDEN'))
  assert.equal((await list(gateway)).length, 1)
  assert.deepEqual(await release(gateway, lease, { force: false }, member), { released: true })
  const next = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, { ...next, holder: BOB }, { force: true }, admin), { released: true })
})

test('without enforcement, force without configure is logged and allowed', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await release(gateway, { ...lease, holder: BOB }, { force: true }, member), { released: true })
  assert.ok(gateway.logs.some((line) => JSON.stringify(line).includes('rbac.shadow')))
})

test('force takes the lease of another key with the same label, and the audit trail names it', async () => {
  await using gateway = await start()
  const [first, second] = ['key:1', 'key:2'].map((id) => ({ as: { kind: 'api-key', role: 'admin', id, label: 'worker' } }) as const)
  await gateway.call('lease_acquire', { key: 'deploy' }, first)
  assert.equal((await gateway.call('lease_release', { key: 'deploy', epoch: 1, force: true }, second)).released, true)
  assert.equal((await gateway.audit()).filter(({ name }) => name === 'lease.forced').length, 1)
})
