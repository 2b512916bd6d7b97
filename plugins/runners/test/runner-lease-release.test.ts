import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, held, history, release, start } from './support.ts'

test('the holder gives its slot back; a second time there is nothing to give', async () => {
  await using gateway = await start()
  const { heartbeat: _heartbeat, leaseUntil: _until, ...session } = await held(gateway, 'ada', { machine: 'forge', account: 'acc-1' })
  gateway.clock.advance(90)
  const lease = await held(gateway, 'ada')
  assert.deepEqual(await release(gateway, lease), { released: true })
  assert.deepEqual(await history(gateway), [{ ...session, releasedAt: at(gateway), durationMs: 90_000, endReason: 'released' }])
  assert.deepEqual(await release(gateway, lease), { released: false })
  assert.equal((await history(gateway)).length, 1)
})

test('nobody releases the slot of another', async () => {
  await using gateway = await start()
  const ada = await held(gateway, 'ada')
  const bob = await held(gateway, 'bob')
  assert.deepEqual(await release(gateway, { ...ada, holder: 'bob' }), { released: false })
  assert.deepEqual(await release(gateway, { ...bob, slot: 3 }), { released: false })
  assert.deepEqual((await gateway.call('runner_lease_list')).active, 2)
})

test('a session that lasted while the clock was set back took no less than no time', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada')
  gateway.clock.advance(-60)
  await release(gateway, lease)
  assert.equal((await history(gateway))[0]?.durationMs, 0)
})
