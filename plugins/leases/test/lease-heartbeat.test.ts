import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { ADA, acquire, at, BOB, heartbeat, held, list, release, start } from './support.ts'

test('it extends the lease from now, ten minutes unless asked otherwise, and changes nothing else', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA, { leaseSeconds: 60, meta: { a: 1 } })
  gateway.clock.advance(50)
  const extended = { ...lease, heartbeatAt: at(gateway), leaseUntil: at(gateway, 600) }
  assert.deepEqual(await heartbeat(gateway, lease), { ok: true, lease: extended })
  gateway.clock.advance(599)
  assert.equal((await acquire(gateway, BOB)).acquired, false)
})

test('leaseSeconds is cut to 30 and 86400', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.equal((await heartbeat(gateway, lease, { leaseSeconds: 1 })).lease.leaseUntil, at(gateway, 30))
  assert.equal((await heartbeat(gateway, lease, { leaseSeconds: 86_401 })).lease.leaseUntil, at(gateway, 86_400))
})

test('another holder or another epoch is told who holds it, and extends nothing', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  gateway.clock.advance(10)
  assert.deepEqual(await heartbeat(gateway, { ...lease, holder: BOB }), { ok: false, heldBy: ADA })
  for (const epoch of [0, 2, -1]) assert.deepEqual(await heartbeat(gateway, { ...lease, epoch }), { ok: false, heldBy: ADA })
  assert.deepEqual(await list(gateway), [{ ...lease, stale: false }])
})

test('after a takeover the former holder is told it is lost, and by whom it is held', async () => {
  await using gateway = await start()
  const lost = await held(gateway, ADA, { leaseSeconds: 30 })
  gateway.clock.advance(30)
  await held(gateway, BOB)
  assert.deepEqual(await heartbeat(gateway, lost), { ok: false, heldBy: BOB })
})

test('one that ran out and that nobody took is its holder’s to bring back, with the epoch it had', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA, { leaseSeconds: 30 })
  gateway.clock.advance(1_000)
  const kept = await heartbeat(gateway, lease)
  assert.deepEqual([kept.ok, kept.lease.epoch, kept.lease.fence], [true, lease.epoch, lease.fence])
  assert.equal((await acquire(gateway, BOB)).acquired, false)
})

test('of a holder coming back and another taking over, one wins', async () => {
  await using gateway = await start()
  for (let round = 0; round < 10; round++) {
    const lease = await held(gateway, ADA, { key: `k${round}`, leaseSeconds: 30 })
    gateway.clock.advance(30)
    const [back, taken] = await Promise.all(
      round % 2
        ? [heartbeat(gateway, lease), acquire(gateway, BOB, { key: lease.key })]
        : [acquire(gateway, BOB, { key: lease.key }), heartbeat(gateway, lease)].reverse(),
    )
    assert.notEqual(back.ok, taken.acquired)
  }
})

test('a lease that was released, or never was, is not extended', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  await release(gateway, lease)
  assert.deepEqual(await heartbeat(gateway, lease), { ok: false })
  assert.deepEqual(await list(gateway), [])
})

test('its arguments have the form of lease_acquire’s', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  await assert.rejects(heartbeat(gateway, { ...lease, key: 'a b' }), refusal('BAD_REQUEST', 'key'))
  await assert.rejects(heartbeat(gateway, { ...lease, holder: 'ada' }), refusal('BAD_REQUEST', 'holder'))
  await assert.rejects(heartbeat(gateway, { ...lease, epoch: 'one' as never }), refusal('BAD_REQUEST', 'epoch'))
})
