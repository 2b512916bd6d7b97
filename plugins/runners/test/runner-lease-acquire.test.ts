import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineTool, Type } from '@gateway/sdk'
import { refusal, startTestGateway } from '@gateway/testing'
import { slotLeases } from '../src/collections.ts'
import family from '../src/index.ts'
import { acquire, at, HOUR, heartbeat, held, history, needed, release, start } from './support.ts'

test('a session gets the lowest free slot for an hour, and the lease says who, where and for what', async () => {
  await using gateway = await start()
  assert.deepEqual(await acquire(gateway, 'ada', { machine: 'forge', account: 'acc-1', taskId: 'task-1' }), {
    acquired: true,
    lease: {
      slot: 1,
      holder: 'ada',
      holderPrincipal: 'operator',
      machine: 'forge',
      account: 'acc-1',
      taskId: 'task-1',
      acquiredAt: at(gateway),
      heartbeat: at(gateway),
      leaseUntil: at(gateway, HOUR),
    },
  })
  assert.equal((await held(gateway, 'bob')).slot, 2)
})

test('there are two slots unless asked otherwise, and no more sessions than slots', async () => {
  await using gateway = await start()
  const ada = await held(gateway, 'ada')
  await held(gateway, 'bob')
  assert.deepEqual(await acquire(gateway, 'cyd'), { acquired: false })
  assert.equal((await held(gateway, 'cyd', { slots: 3 })).slot, 3)
  await release(gateway, ada)
  assert.deepEqual(await acquire(gateway, 'dan'), { acquired: false }, 'the session in slot 3 counts in a pool of two')
  assert.equal((await held(gateway, 'dan', { slots: 3 })).slot, 1)
})

test('of many who ask at once, as many as there are slots get one, each another', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => acquire(gateway, `runner-${n}`, { slots: 5 })))
  const slots = answers.filter(({ acquired }) => acquired).map(({ lease }) => lease.slot)
  assert.deepEqual(slots.sort(), [1, 2, 3, 4, 5])
})

test('a holder that asks again gets its own slot, extended, and what it names anew is taken over', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada', { machine: 'forge', taskId: 'task-1' })
  await held(gateway, 'bob')
  assert.deepEqual(await held(gateway, 'ada'), lease)
  gateway.clock.advance(10)
  const again = await held(gateway, 'ada', { taskId: 'task-2', leaseSeconds: 60 })
  assert.deepEqual(again, { ...lease, taskId: 'task-2', heartbeat: at(gateway), leaseUntil: at(gateway, 60) })
  gateway.clock.advance(61)
  assert.equal((await held(gateway, 'ada')).acquiredAt, lease.acquiredAt, 'also when it had run out and nobody took it')
  assert.deepEqual(await history(gateway), [])
})

test('a holder that comes back under another account ends its session and begins another', async () => {
  await using gateway = await start()
  await held(gateway, 'ada', { account: 'acc-1' })
  gateway.clock.advance(5)
  const lease = await held(gateway, 'ada', { account: 'acc-2' })
  assert.deepEqual([lease.slot, lease.account, lease.acquiredAt], [1, 'acc-2', at(gateway)])
  assert.deepEqual(
    (await history(gateway)).map(({ account, endReason, durationMs }) => [account, endReason, durationMs]),
    [['acc-1', 'account_mismatch', 5_000]],
  )
})

test('a slot that ran out is reclaimed when all are taken, and the history says so', async () => {
  await using gateway = await start()
  const stale = await held(gateway, 'ada', { account: 'acc-1', leaseSeconds: 60 })
  await held(gateway, 'bob')
  gateway.clock.advance(59)
  assert.deepEqual(await acquire(gateway, 'cyd'), { acquired: false })
  gateway.clock.advance(1)
  assert.equal((await held(gateway, 'cyd')).slot, stale.slot)
  const { heartbeat: _heartbeat, leaseUntil: _until, ...session } = stale
  assert.deepEqual(await history(gateway), [{ ...session, releasedAt: at(gateway), durationMs: 60_000, endReason: 'reclaimed' }])
  assert.deepEqual(await heartbeat(gateway, stale), { ok: false, reason: 'not_held' })
})

test('while a slot is free, one that ran out is left to its holder', async () => {
  await using gateway = await start()
  const stale = await held(gateway, 'ada', { leaseSeconds: 60 })
  gateway.clock.advance(60)
  assert.equal((await held(gateway, 'bob')).slot, 2)
  assert.equal((await heartbeat(gateway, stale)).ok, true)
  assert.deepEqual(await acquire(gateway, 'cyd'), { acquired: false })
})

test('sessions outlive a restart', async () => {
  await using gateway = await start()
  const lease = await held(gateway, 'ada')
  await gateway.restart()
  assert.deepEqual(await held(gateway, 'ada'), lease)
})

test('its arguments are checked', async () => {
  await using gateway = await start()
  for (const [field, value] of Object.entries({ holder: ' ', slots: 0, leaseSeconds: 0, machine: ' ', account: ' ', taskId: ' ' })) {
    await assert.rejects(acquire(gateway, 'ada', { [field]: value }), refusal('BAD_REQUEST', field))
  }
  await assert.rejects(acquire(gateway, 'ada', { slots: 1_001 }), refusal('BAD_REQUEST', 'slots'))
  assert.deepEqual((await gateway.documents())['runners.slots'], [])
})

test('a slot that was taken while the clock was ahead is stale once it is set back, and makes room', async () => {
  await using gateway = await start()
  gateway.clock.advance(3_600)
  for (const holder of ['ada', 'bob']) await held(gateway, holder)
  assert.deepEqual(await acquire(gateway, 'cyd'), { acquired: false })
  gateway.clock.advance(-3_600)
  assert.equal((await acquire(gateway, 'cyd')).acquired, true)
})

test('two keys of one label get a slot each, and neither keeps or releases the slot of the other', async () => {
  await using gateway = await start()
  const [first, second] = ['key:1', 'key:2'].map((id) => ({ as: { kind: 'api-key', role: 'member', id, label: 'worker' } }) as const)
  const { lease: mine } = await gateway.call('runner_lease_acquire', {}, first)
  const { lease: other } = await gateway.call('runner_lease_acquire', {}, second)
  assert.deepEqual([mine.holder, mine.slot, other.holder, other.slot], ['worker', 1, 'worker', 2])
  assert.equal((await gateway.call('runner_lease_heartbeat', { slot: 1 }, second)).ok, false)
  assert.equal((await gateway.call('runner_lease_release', { slot: 1 }, second)).released, false)
  assert.deepEqual((await gateway.call('runner_lease_acquire', {}, first)).lease, mine)
  assert.equal((await gateway.call('runner_lease_heartbeat', { slot: 1, holder: 'worker' }, first)).ok, true)
  assert.equal((await gateway.call('runner_lease_release', { slot: 1 }, first)).released, true)
})

/** Turns what is stored into that of a version that kept no key of a holder. */
const forgetKeys = defineTool({
  name: 'test_forget_keys',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { slotLeases },
  handle: async (_args, { slotLeases }) => ({
    forgotten: await slotLeases.updateMany({ holderId: { exists: true } }, { unset: ['holderId'] }),
  }),
})

test('a slot that an earlier version gave to a key stays with the name, and belongs to the key that extends it', async () => {
  await using gateway = await startTestGateway({ plugins: [...needed, { ...family, tools: [...family.tools, forgetKeys] }] })
  const [first, second] = ['key:1', 'key:2'].map((id) => ({ as: { kind: 'api-key', role: 'member', id, label: 'worker' } }) as const)
  const { lease } = await gateway.call('runner_lease_acquire', {}, first)
  for (const [tool, args] of [
    ['runner_lease_acquire', {}],
    ['runner_lease_heartbeat', { slot: 1 }],
  ] as const) {
    assert.deepEqual(await gateway.call('test_forget_keys'), { forgotten: 1 })
    assert.deepEqual((await gateway.call(tool, args, first)).lease, lease, tool)
    assert.equal((await gateway.call('runner_lease_heartbeat', { slot: 1 }, second)).ok, false, tool)
  }
  await gateway.call('test_forget_keys')
  assert.equal((await gateway.call('runner_lease_release', { slot: 1 }, first)).released, true)
})
