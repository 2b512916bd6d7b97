import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acquire, at, HOUR, heartbeat, held, history, release, start } from './support.ts'

test('it extends the slot from now, an hour unless asked otherwise, and may name another task', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada', { account: 'acc-1', taskId: 'task-1', leaseSeconds: 60 })
  gateway.clock.advance(50)
  const extended = { ...lease, heartbeat: at(gateway), leaseUntil: at(gateway, HOUR) }
  assert.deepEqual(await heartbeat(gateway, lease), { ok: true, lease: extended })
  assert.deepEqual(await heartbeat(gateway, lease, { taskId: 'task-2', leaseSeconds: 5, account: 'acc-1' }), {
    ok: true,
    lease: { ...extended, taskId: 'task-2', leaseUntil: at(gateway, 5) },
  })
})

test('only while the slot belongs to the holder', async () => {
  await using gateway = await start()
  const ada = await held(gateway, 'ada')
  const lost = { ok: false, reason: 'not_held' }
  assert.deepEqual(await heartbeat(gateway, { ...ada, holder: 'bob' }), lost)
  assert.deepEqual(await heartbeat(gateway, { ...ada, slot: 2 }), lost)
  await release(gateway, ada)
  assert.deepEqual(await heartbeat(gateway, ada), lost)
})

test('an account other than the one it was acquired under gives the slot up, and the history says so', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada', { account: 'acc-1', slots: 1 })
  gateway.clock.advance(7)
  assert.deepEqual(await heartbeat(gateway, lease, { account: 'acc-2' }), { ok: false, reason: 'account_mismatch' })
  const { heartbeat: _heartbeat, leaseUntil: _until, ...session } = lease
  assert.deepEqual(await history(gateway), [{ ...session, releasedAt: at(gateway), durationMs: 7_000, endReason: 'account_mismatch' }])
  assert.equal((await acquire(gateway, 'bob', { slots: 1 })).acquired, true)
})

test('a session that named no account names one later, and is held to it', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada')
  assert.equal((await heartbeat(gateway, lease, { account: 'acc-1' })).lease.account, 'acc-1')
  assert.equal((await heartbeat(gateway, lease, { account: 'acc-2' })).ok, false)
})
