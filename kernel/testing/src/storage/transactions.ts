import assert from 'node:assert/strict'
import { now, type Transaction } from '@gateway/sdk'
import type { Bench } from './subject.ts'

export function transactionTests(bench: Bench): void {
  const { test } = bench
  test('all changes happen, in every collection, or none', async () => {
    const [tasks, names, atomically] = [bench.items('tx-all'), bench.named('tx-all'), bench.store.atomically('tx-all')]
    const result = await atomically(async (tx) => {
      await tasks.in(tx).insert({ itemId: 'a', n: 1 })
      await names.in(tx).insert({ id: 'a', name: 'x' })
      return 'done'
    })
    assert.equal(result, 'done')
    await assert.rejects(
      atomically(async (tx) => {
        await tasks.in(tx).updateOne('a', { set: { n: 2 } })
        await tasks.in(tx).insert({ itemId: 'b' })
        await names.in(tx).deleteMany({})
        await names.in(tx).upsert({ id: 'c', name: 'y' }, {})
        throw new Error('changed my mind')
      }),
      /changed my mind/,
    )
    assert.deepEqual((await tasks.find()).items, [{ itemId: 'a', n: 1 }])
    assert.deepEqual((await names.find()).items, [{ id: 'a', name: 'x' }])
  })

  test('a transaction sees its own changes, and nobody else does before it ends', async () => {
    const c = bench.items('tx-sees')
    await c.insert({ itemId: 'a', n: 1 })
    await bench.store.atomically('tx-sees')(async (tx) => {
      await c.in(tx).updateOne('a', { inc: { n: 1 } })
      await c.in(tx).insert({ itemId: 'b', n: 5 })
      assert.equal((await c.in(tx).get('a'))?.n, 2)
      assert.equal(await c.in(tx).count(), 2)
      assert.deepEqual(await c.in(tx).distinct('n'), [2, 5])
      assert.equal((await c.in(tx).group({ by: [], sum: ['n'] }))[0]?.sums.n, 7)
      assert.equal((await c.get('a'))?.n, 1)
      assert.equal(await c.count(), 1)
    })
    assert.equal((await c.get('a'))?.n, 2)
  })

  test('what waits for the commit happens after it, once, and never after a rollback', async () => {
    const c = bench.items('tx-after')
    const atomically = bench.store.atomically('tx-after')
    const changes: string[] = []
    await atomically(async (tx) => {
      await c.in(tx).insert({ itemId: 'a' })
      tx.afterCommit(() => changes.push('first'))
      tx.afterCommit(() => changes.push('second'))
      assert.deepEqual(changes, [])
    })
    assert.deepEqual(changes, ['first', 'second'])
    await assert.rejects(
      atomically(async (tx) => {
        tx.afterCommit(() => changes.push('never'))
        throw new Error('changed my mind')
      }),
    )
    assert.deepEqual(changes, ['first', 'second'])
  })

  test('a refused operation may be caught, and the rest of the transaction stands', async () => {
    const c = bench.items('tx-caught')
    await c.insert({ itemId: 'taken' })
    await bench.store.atomically('tx-caught')(async (tx) => {
      await c.in(tx).insert({ itemId: 'first' })
      await assert.rejects(c.in(tx).insert({ itemId: 'taken' }), { code: 'DUPLICATE_KEY' })
      await assert.rejects(c.in(tx).insertMany([{ itemId: 'none' }, { itemId: 'taken' }]), { code: 'DUPLICATE_KEY' })
      await c.in(tx).insert({ itemId: 'second' })
    })
    assert.deepEqual(
      (await c.find()).items.map((item) => item.itemId),
      ['first', 'second', 'taken'],
    )
  })

  test('the failure of one writer is not the failure of those beside it', async () => {
    const c = bench.items('tx-beside')
    const atomically = bench.store.atomically('tx-beside')
    const outcomes = await Promise.allSettled([
      c.insert({ itemId: 'a' }),
      c.insert({ itemId: 'a' }),
      atomically(async (tx) => {
        await c.in(tx).insert({ itemId: 'b' })
        throw new Error('no')
      }),
      atomically(async (tx) => c.in(tx).insert({ itemId: 'c' })),
      c.insert({ itemId: 'd' }),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
    )
    assert.deepEqual(
      (await c.find()).items.map((item) => item.itemId),
      ['a', 'c', 'd'],
    )
  })

  test('transactions do not see each other half done, nor do readers', async () => {
    const c = bench.items('tx-half')
    const atomically = bench.store.atomically('tx-half')
    await Promise.all([c.insert({ itemId: 'a', n: 100 }), c.insert({ itemId: 'b', n: 0 })])
    const total = (docs: readonly { n?: number | null }[]): number => docs.reduce((sum, doc) => sum + (doc.n ?? 0), 0)
    const transfer = (): Promise<void> =>
      atomically(async (tx) => {
        const from = await c.in(tx).get('a')
        await c.in(tx).updateOne('a', { set: { n: (from?.n ?? 0) - 1 } })
        // Other work gets a turn in the middle.
        await new Promise((resolve) => setImmediate(resolve))
        await c.in(tx).updateOne('b', { inc: { n: 1 } })
      })
    let running = true
    const reading = (async () => {
      for (let reads = 0; running || reads === 0; reads++) {
        assert.equal(total((await c.find()).items), 100)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await Promise.all(Array.from({ length: 30 }, transfer))
    running = false
    await reading
    assert.equal((await c.get('a'))?.n, 70)
    assert.equal((await c.get('b'))?.n, 30)
  })

  test('the time is one value for the whole transaction', async () => {
    const c = bench.items('tx-time')
    await bench.store.atomically('tx-time')(async (tx) => {
      await c.in(tx).insert({ itemId: 'a' })
      const doc = await c.in(tx).updateOne('a', { set: { at: now() } })
      assert.equal(doc?.at, tx.now.toISOString())
    })
  })

  test('a transaction that has ended, or of another tenant, is refused', async () => {
    const c = bench.items('tx-ended')
    let kept: Transaction | undefined
    await bench.store.atomically('tx-ended')(async (tx) => {
      kept = tx
      await assert.rejects(async () => bench.items('tx-other').in(tx).insert({ itemId: 'a' }), /tenant/)
    })
    await assert.rejects(async () => c.in(kept as Transaction).insert({ itemId: 'a' }), /ended/)
    await assert.rejects(async () => c.in(kept as Transaction).find(), /ended/)
    await assert.rejects(async () => c.in({ now: new Date(), afterCommit: () => undefined }).find(), /transaction/)
    assert.equal(await bench.items('tx-other').count(), 0)
  })
}
