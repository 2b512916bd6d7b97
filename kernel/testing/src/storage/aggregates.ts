import assert from 'node:assert/strict'
import { before } from 'node:test'
import type { Bench } from './subject.ts'

export function aggregateTests(bench: Bench): void {
  const { test } = bench
  const tenant = 'aggregate'
  before(async () => {
    const c = bench.items(tenant)
    const rows = [
      { itemId: 'a', status: 'open', n: 1, flag: true, weight: 0.5, at: '2026-01-01T00:00:00.000Z' },
      { itemId: 'b', status: 'open', n: 2, flag: false, weight: 0.25 },
      { itemId: 'c', status: 'done', n: null, flag: true },
      { itemId: 'd', n: 4, weight: 1 },
      { itemId: 'e', owner: null, n: 5 },
    ]
    for (const row of rows) await c.insert(row)
  })

  test('count counts what matches, and stops at max', async () => {
    const c = bench.items(tenant)
    assert.equal(await c.count(), 5)
    assert.equal(await c.count({ status: 'open' }), 2)
    assert.equal(await c.count({}, { max: 3 }), 3)
    assert.equal(await c.count({ status: 'open' }, { max: 3 }), 2)
    assert.equal(await c.count({ or: [] }), 0)
    assert.equal(await c.count({ and: [] }), 5)
    await assert.rejects(c.count({}, { max: -1 }), { code: 'BAD_REQUEST' })
  })

  test('group counts and adds up per key; null and absent are one key', async () => {
    const c = bench.items(tenant)
    assert.deepEqual(await c.group({ by: ['status'], sum: ['n', 'weight'] }), [
      { key: [null], count: 2, sums: { n: 9, weight: 1 } },
      { key: ['done'], count: 1, sums: { n: 0, weight: 0 } },
      { key: ['open'], count: 2, sums: { n: 3, weight: 0.75 } },
    ])
    assert.deepEqual(await c.group({ by: ['status', 'flag'], where: { status: 'open' } }), [
      { key: ['open', false], count: 1, sums: {} },
      { key: ['open', true], count: 1, sums: {} },
    ])
    assert.deepEqual(await c.group({ by: ['owner'] }), [{ key: [null], count: 5, sums: {} }])
    assert.deepEqual(await c.group({ by: [], sum: ['n'] }), [{ key: [], count: 5, sums: { n: 12 } }])
    assert.deepEqual(await c.group({ by: ['status'], where: { status: 'none' } }), [])
    assert.deepEqual(await c.group({ by: [], where: { status: 'none' } }), [])
  })

  test('distinct gives the values of an indexed field', async () => {
    const c = bench.items(tenant)
    assert.deepEqual(await c.distinct('status'), ['done', 'open'])
    assert.deepEqual(await c.distinct('flag', { status: 'open' }), [false, true])
    assert.deepEqual(await c.distinct('n', { status: { in: ['open', 'done'] } }), [1, 2])
    assert.deepEqual(await c.distinct('itemId', { n: { gte: 4 } }), ['d', 'e'])
    assert.deepEqual(await c.distinct('owner'), [])
    assert.deepEqual(await c.distinct('status', { n: 99 }), [])
  })
}
