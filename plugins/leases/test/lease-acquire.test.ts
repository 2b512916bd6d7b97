import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineTool, Type } from '@gateway/sdk'
import { refusal, startTestGateway } from '@gateway/testing'
import { leases } from '../src/collections.ts'
import family from '../src/index.ts'
import { ADA, acquire, at, BOB, heartbeat, held, list, release, start } from './support.ts'

test('a free key is given with epoch 1, for ten minutes', async () => {
  await using gateway = await start()
  assert.deepEqual(await acquire(gateway, ADA, { meta: { task: 'task-1' } }), {
    acquired: true,
    lease: {
      key: 'deploy',
      holder: ADA,
      holderPrincipal: 'operator',
      epoch: 1,
      fence: 1,
      acquiredAt: at(gateway),
      heartbeatAt: at(gateway),
      leaseUntil: at(gateway, 600),
      meta: { task: 'task-1' },
    },
  })
})

test('who comes while it is held learns by whom and until when, and changes nothing', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  assert.deepEqual(await acquire(gateway, BOB, { meta: { mine: true } }), { acquired: false, heldBy: ADA, leaseUntil: lease.leaseUntil })
  assert.deepEqual(await list(gateway), [{ ...lease, stale: false }])
})

test('of many who want a key at once, one gets it', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => acquire(gateway, `forge/lane/${n}`)))
  const [winner, ...others] = answers.filter(({ acquired }) => acquired)
  assert.deepEqual(others, [])
  for (const { acquired, heldBy } of answers) if (!acquired) assert.equal(heldBy, winner.lease.holder)
})

test('its holder that asks again gets the same lease, extended, and keeps its meta unless it gives another', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA, { meta: { step: 1 } })
  assert.deepEqual(await held(gateway, ADA), lease, 'a retry at the same time returns the very same lease')
  gateway.clock.advance(100)
  const later = { ...lease, heartbeatAt: at(gateway), leaseUntil: at(gateway, 60) }
  assert.deepEqual(await acquire(gateway, ADA, { leaseSeconds: 60 }), { acquired: true, lease: later })
  assert.deepEqual((await held(gateway, ADA, { leaseSeconds: 60, meta: { step: 2 } })).meta, { step: 2 })
})

test('a lease that ran out is taken over with the next epoch and a higher fence, and the answer names who had it', async () => {
  await using gateway = await start()
  const first = await held(gateway, ADA, { leaseSeconds: 60, meta: { of: 'ada' } })
  gateway.clock.advance(59.999)
  assert.equal((await acquire(gateway, BOB)).acquired, false)
  gateway.clock.advance(0.001)
  const { acquired, lease, tookOverFrom } = await acquire(gateway, BOB)
  assert.deepEqual([acquired, tookOverFrom, lease.holder, lease.epoch], [true, ADA, BOB, 2])
  assert.ok(lease.fence > first.fence)
  assert.deepEqual([lease.acquiredAt, lease.meta], [at(gateway), undefined])
})

test('its own holder gets it anew after it ran out: what it did under the old one is fenced off', async () => {
  await using gateway = await start()
  const first = await held(gateway, ADA, { leaseSeconds: 30 })
  gateway.clock.advance(30)
  const { lease, tookOverFrom } = await acquire(gateway, ADA)
  assert.deepEqual([lease.epoch, tookOverFrom], [2, ADA])
  assert.ok(lease.fence > first.fence)
})

test('after a release the epoch begins at 1 again, the fence goes on rising, also over a restart', async () => {
  await using gateway = await start()
  let last = 0
  for (let round = 0; round < 3; round++) {
    const lease = await held(gateway, round % 2 ? ADA : BOB)
    assert.equal(lease.epoch, 1)
    assert.ok(lease.fence > last)
    last = lease.fence
    await release(gateway, lease)
    await gateway.restart()
  }
})

test('a lease and its fence outlive a restart', async () => {
  await using gateway = await start()
  const lease = await held(gateway, ADA)
  await gateway.restart()
  assert.deepEqual(await held(gateway, ADA), lease)
  assert.deepEqual((await heartbeat(gateway, lease)).lease, lease)
})

test('keys are held each by itself, and each tenant has its own', async () => {
  await using gateway = await start()
  await held(gateway, ADA)
  assert.equal((await acquire(gateway, BOB, { key: 'release' })).acquired, true)
  assert.equal((await acquire(gateway, BOB, {}, { as: { tenantId: 'acme' } })).acquired, true)
})

test('leaseSeconds below 30 counts as 30, above 86400 as 86400', async () => {
  await using gateway = await start()
  const until = async (leaseSeconds: number) => (await held(gateway, ADA, { leaseSeconds })).leaseUntil
  assert.equal(await until(29), at(gateway, 30))
  assert.equal(await until(-5), at(gateway, 30))
  assert.equal(await until(30), at(gateway, 30))
  assert.equal(await until(45.5), at(gateway, 45.5))
  assert.equal(await until(86_400), at(gateway, 86_400))
  assert.equal(await until(1e12), at(gateway, 86_400))
})

test('a key has 1 to 200 characters and no whitespace', async () => {
  await using gateway = await start()
  for (const key of ['', 'x'.repeat(201), 'two words', 'line\n', '\u00a0', 7]) {
    await assert.rejects(acquire(gateway, ADA, { key }), refusal('BAD_REQUEST', 'key'))
  }
  for (const key of ['x', 'x'.repeat(200), 'repo/web:main.*$']) await held(gateway, ADA, { key })
})

test('a holder has two segments or more between slashes, none empty, 3 to 200 characters and no whitespace', async () => {
  await using gateway = await start()
  for (const holder of ['', 'a/', '/a', 'abc', 'a//b', 'a/b/', 'a b/c', 'a/b\t', `a/${'x'.repeat(199)}`]) {
    await assert.rejects(acquire(gateway, holder), refusal('BAD_REQUEST', 'holder'), holder)
  }
  for (const holder of ['a/b', 'host/lane/4711/x', `a/${'x'.repeat(198)}`]) await held(gateway, holder, { key: holder })
})

test('meta has at most 2048 bytes as JSON', async () => {
  await using gateway = await start()
  const sized = (bytes: number, letter = 'x') => ({ a: letter.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(letter)) })
  await held(gateway, ADA, { meta: sized(2_048) })
  await assert.rejects(acquire(gateway, ADA, { meta: sized(2_049) }), refusal('BAD_REQUEST', 'meta'))
  await assert.rejects(acquire(gateway, ADA, { meta: sized(2_050, 'é') }), refusal('BAD_REQUEST', 'meta'))
})

test('meta is an object with no key that begins with a dollar sign or contains a dot, at any depth; nothing is changed', async () => {
  await using gateway = await start()
  const before = await held(gateway, ADA, { meta: { fine: 'a.b', a$: ['$x'] } })
  for (const meta of [{ $set: 1 }, { 'a.b': 1 }]) await assert.rejects(acquire(gateway, ADA, { meta }), refusal('BAD_REQUEST', 'meta'))
  await assert.rejects(acquire(gateway, ADA, { meta: { in: { $x: 1 } } }), refusal('BAD_REQUEST', 'meta.in'))
  await assert.rejects(acquire(gateway, ADA, { meta: { in: [{ 'a.b': 1 }] } }), refusal('BAD_REQUEST', 'meta.in.0'))
  for (const meta of ['text', [1], 7]) await assert.rejects(acquire(gateway, ADA, { meta }), refusal('BAD_REQUEST', 'meta'))
  assert.deepEqual(await list(gateway), [{ ...before, stale: false }])
})

test('a viewer may not take a lease', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  await assert.rejects(acquire(gateway, ADA, {}, { as: { kind: 'user', role: 'viewer' } }), refusal('FORBIDDEN'))
  assert.equal((await acquire(gateway, ADA, {}, { as: { kind: 'user', role: 'member' } })).acquired, true)
})

test('over REST, a key with slashes stands in the path encoded', async () => {
  await using gateway = await start()
  const url = `/api/leases/${encodeURIComponent('repo/web:main')}/acquire`
  const { status, json } = await gateway.inject({ method: 'POST', url, body: { holder: ADA } }).then((r) => ({ ...r, json: r.json() }))
  assert.deepEqual([status, json.lease.key], [200, 'repo/web:main'])
})

test('a lease that was taken or extended while the clock was ahead is taken over once it is set back, however short or long it is', async () => {
  for (const ahead of [120, 3_600, 2 * 86_400]) {
    await using gateway = await start()
    gateway.clock.advance(ahead)
    const first = await held(gateway, ADA)
    gateway.clock.advance(-ahead)
    const taken = await acquire(gateway, BOB)
    assert.equal(taken.acquired, true, `${ahead} s ahead`)
    assert.ok(taken.lease.fence > first.fence)
  }
})

test('a clock that is corrected by less than a minute takes no lease from its holder', async () => {
  await using gateway = await start()
  gateway.clock.advance(50)
  await held(gateway, ADA)
  gateway.clock.advance(-50)
  assert.equal((await acquire(gateway, BOB)).acquired, false)
})

test('two keys of one label have separate holders, and neither extends or releases the lease of the other', async () => {
  await using gateway = await start()
  const [first, second] = ['key:1', 'key:2'].map((id) => ({ as: { kind: 'api-key', role: 'member', id, label: 'worker' } }) as const)
  const mine = await gateway.call('lease_acquire', { key: 'deploy' }, first)
  const { holder, epoch } = mine.lease
  assert.equal(holder, 'key/worker')
  assert.equal((await gateway.call('lease_acquire', { key: 'deploy' }, second)).acquired, false)
  assert.equal((await gateway.call('lease_heartbeat', { key: 'deploy', epoch }, second)).ok, false)
  assert.equal((await gateway.call('lease_release', { key: 'deploy', epoch }, second)).released, false)
  assert.deepEqual(await gateway.call('lease_acquire', { key: 'deploy' }, first), mine)
  assert.equal((await gateway.call('lease_heartbeat', { key: 'deploy', holder, epoch }, first)).ok, true)
  assert.equal((await gateway.call('lease_release', { key: 'deploy', epoch }, first)).released, true)
})

/** Turns what is stored into that of a version that kept no key of a holder. */
const forgetKeys = defineTool({
  name: 'test_forget_keys',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { leases },
  handle: async (_args, { leases }) => ({ forgotten: await leases.updateMany({ holderId: { exists: true } }, { unset: ['holderId'] }) }),
})

test('a lease that an earlier version gave to a key stays with the name, and belongs to the key that extends it', async () => {
  await using gateway = await startTestGateway({ plugins: [{ ...family, tools: [...family.tools, forgetKeys] }] })
  const [first, second] = ['key:1', 'key:2'].map((id) => ({ as: { kind: 'api-key', role: 'member', id, label: 'worker' } }) as const)
  const { lease } = await gateway.call('lease_acquire', { key: 'deploy' }, first)
  const { epoch } = lease
  for (const [tool, args] of [
    ['lease_acquire', {}],
    ['lease_heartbeat', { epoch }],
  ] as const) {
    assert.deepEqual(await gateway.call('test_forget_keys'), { forgotten: 1 })
    const kept = await gateway.call(tool, { key: 'deploy', ...args }, first)
    assert.deepEqual(kept.lease, lease, tool)
    assert.equal((await gateway.call('lease_heartbeat', { key: 'deploy', epoch }, second)).ok, false, tool)
  }
  await gateway.call('test_forget_keys')
  assert.equal((await gateway.call('lease_release', { key: 'deploy', epoch }, first)).released, true)
})
