import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needs, refusal } from '@gateway/testing'
import { ADA, BOB, held, list, start } from './support.ts'

test('leases are listed by key, with all their fields', async () => {
  await using gateway = await start()
  const second = await held(gateway, ADA, { key: 'b', meta: { a: 1 } })
  const first = await held(gateway, BOB, { key: 'a/x' })
  const last = await held(gateway, BOB, { key: 'ä' })
  assert.deepEqual(await gateway.call('lease_list'), {
    leases: [first, second, last].map((lease) => ({ ...lease, stale: false })),
    truncated: false,
  })
})

test('prefix is taken literally', async () => {
  await using gateway = await start()
  for (const key of ['a.b', 'axb', 'a', '%', '_x', 'A.b', '[a]', '^a']) await held(gateway, ADA, { key })
  const keys = async (prefix: string) => (await list(gateway, { prefix })).map(({ key }) => key)
  assert.deepEqual(await keys('a.'), ['a.b'])
  assert.deepEqual(await keys('.*'), [])
  assert.deepEqual(await keys('%'), ['%'])
  assert.deepEqual(await keys('_'), ['_x'])
  assert.deepEqual(await keys('^a'), ['^a'])
  assert.deepEqual(await keys('['), ['[a]'])
  assert.equal((await keys('')).length, 8)
})

test('what ran out is stale by the store’s time', async () => {
  await using gateway = await start()
  await held(gateway, ADA, { key: 'short', leaseSeconds: 30 })
  await held(gateway, ADA, { key: 'long', leaseSeconds: 31 })
  gateway.clock.advance(30)
  assert.deepEqual(
    (await list(gateway)).map(({ key, stale }) => [key, stale]),
    [
      ['long', false],
      ['short', true],
    ],
  )
})

test(
  'at most limit, 200 unless asked otherwise and never more than 1000, and truncated says that there are more',
  needs('scale'),
  async () => {
    await using gateway = await start()
    await Promise.all(Array.from({ length: 1_001 }, (_, n) => held(gateway, ADA, { key: `k${String(n).padStart(4, '0')}` })))
    const counted = async (args: object) => {
      const { leases, truncated } = await gateway.call('lease_list', args)
      return [leases.length, truncated]
    }
    assert.deepEqual(await counted({}), [200, true])
    assert.deepEqual(await counted({ limit: 3 }), [3, true])
    assert.deepEqual(await counted({ limit: 5_000 }), [1_000, true])
    assert.deepEqual(await counted({ prefix: 'k000', limit: 10 }), [10, false])
    await assert.rejects(list(gateway, { limit: 0 }), refusal('BAD_REQUEST', 'limit'))
  },
)

test('a lease that nobody came back for is forgotten 30 days after it ran out, and its fence does not come again', async () => {
  await using gateway = await start()
  const { fence } = await held(gateway, ADA, { leaseSeconds: 600 })
  gateway.clock.advance(600 + 30 * 86_400 - 1)
  await gateway.restart()
  assert.equal((await list(gateway)).length, 1)
  gateway.clock.advance(1)
  // Expired documents are removed when the store opens, and every minute.
  await gateway.restart()
  assert.deepEqual(await list(gateway), [])
  const next = await held(gateway, BOB)
  assert.deepEqual([next.epoch, next.fence > fence], [1, true])
})

test('a tenant sees its own leases only', async () => {
  await using gateway = await start()
  await held(gateway, ADA)
  assert.deepEqual((await gateway.call('lease_list', {}, { as: { tenantId: 'acme' } })).leases, [])
})
