import assert from 'node:assert/strict'
import { type Collection, defined, type Query } from '@gateway/sdk'
import type { Bench, Item } from './subject.ts'

const refused = (field: string) => (error: { code?: string; details?: { field?: string } }) =>
  error.code === 'BAD_REQUEST' && error.details?.field === field

async function pages(c: Collection<Item>, query: Query<Item>, between?: (seen: number) => Promise<unknown>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await c.find({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.items.map((item) => item.itemId))
    cursor = page.nextCursor
    if (cursor !== undefined) await between?.(ids.length)
  } while (cursor !== undefined)
  return ids
}

export function pageTests(bench: Bench): void {
  const { test } = bench
  test('without a sort documents come by id, a hundred at a time', async () => {
    const c = bench.items('page-default')
    await Promise.all(Array.from({ length: 101 }, (_, i) => c.insert({ itemId: String(i).padStart(3, '0') })))
    const page = await c.find()
    assert.equal(page.items.length, 100)
    assert.equal(page.items[0]?.itemId, '000')
    assert.deepEqual(
      (await c.find({ cursor: page.nextCursor as string })).items.map((item) => item.itemId),
      ['100'],
    )
  })

  test('where a field holds numbers and text, pages go on from the one to the other, both ways', async () => {
    const c = bench.items('page-mixed')
    const ranks = [undefined, -1, 2, '', 'a']
    await Promise.all(ranks.map((rank, i) => c.insert({ itemId: `${i}`, ...defined({ rank }) })))
    const ids = ranks.map((_, i) => `${i}`)
    assert.deepEqual(await pages(c, { sort: { rank: 1 }, limit: 1 }), ids)
    assert.deepEqual(await pages(c, { sort: { rank: -1 }, limit: 1 }), ids.toReversed())
  })

  test('the last page has no cursor, even when it is full', async () => {
    const c = bench.items('page-last')
    for (const itemId of ['a', 'b']) await c.insert({ itemId })
    assert.equal((await c.find({ limit: 2 })).nextCursor, undefined)
    assert.ok((await c.find({ limit: 1 })).nextCursor)
    assert.equal((await bench.items('page-empty').find()).nextCursor, undefined)
  })

  test('a page ends before its documents are more than maxBytes, after one at least, and the next goes on from there', async () => {
    const c = bench.items('page-bytes')
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const itemId of ids) await c.insert({ itemId, status: itemId === 'c' ? 'x'.repeat(500) : 'é' })
    const bytes = Buffer.byteLength(JSON.stringify({ itemId: 'a', status: 'é' }))
    const first = await c.find({ maxBytes: 2 * bytes })
    assert.deepEqual(
      first.items.map((item) => item.itemId),
      ['a', 'b'],
    )
    assert.equal((await c.find({ maxBytes: 2 * bytes - 1 })).items.length, 1)
    assert.equal((await c.find({ maxBytes: 2 * bytes, limit: 1 })).items.length, 1)
    assert.equal((await c.find({ maxBytes: 10_000 })).nextCursor, undefined)
    for (const sort of [{}, { status: 1 }, { status: -1 }] as const) {
      assert.deepEqual((await pages(c, { sort, maxBytes: 1 })).toSorted(), ids)
      assert.deepEqual((await pages(c, { sort, maxBytes: 2 * bytes })).toSorted(), ids)
    }
    await assert.rejects(c.find({ maxBytes: 0 }), refused('maxBytes'))
  })

  test('null and absent stand first, and last when descending; the id breaks ties in the direction of the last field', async () => {
    const c = bench.items('page-null')
    for (const [itemId, n] of [
      ['a', null],
      ['b', undefined],
      ['c', 1],
      ['d', 1],
      ['e', 2],
    ] as const)
      await c.insert(n === undefined ? { itemId } : { itemId, n })
    for (const limit of [1, 2, 10]) {
      assert.deepEqual(await pages(c, { sort: { n: 1 }, limit }), ['a', 'b', 'c', 'd', 'e'])
      assert.deepEqual(await pages(c, { sort: { n: -1 }, limit }), ['e', 'd', 'c', 'b', 'a'])
    }
  })

  test('strings sort by code point', async () => {
    const c = bench.items('page-text')
    for (const [i, title] of ['😀', 'ﬁ', 'z', 'Z', 'é', ''].entries()) await c.insert({ itemId: `${i}`, title })
    assert.deepEqual(
      (await c.find({ sort: { title: 1 } })).items.map((item) => item.title),
      ['', 'Z', 'z', 'é', 'ﬁ', '😀'],
    )
  })

  test('a list of values pages in one order over all of them', async () => {
    const c = bench.items('page-in')
    const kinds = ['open', 'working', 'done']
    await Promise.all(Array.from({ length: 60 }, (_, i) => c.insert({ itemId: `i${i}`, status: kinds[i % 3] as string, n: (i * 7) % 10 })))
    const where = { status: { in: ['open', 'done', 'none', 'open'] } }
    const found = await pages(c, { where, sort: { n: -1 }, limit: 7 })
    assert.equal(found.length, 40)
    assert.deepEqual(
      found,
      (await c.find({ where, sort: { n: -1 }, limit: 1000 })).items.map((item) => item.itemId),
    )
    const ns = await Promise.all(found.map(async (id) => (await c.get(id))?.n as number))
    assert.deepEqual(
      ns,
      [...ns].sort((a, b) => b - a),
    )
  })

  test('paging stays exact while others insert and delete', async () => {
    const c = bench.items('page-exact')
    const steady = Array.from({ length: 50 }, (_, i) => `s${String(i).padStart(2, '0')}`)
    await Promise.all(steady.map((itemId, i) => c.insert({ itemId, n: i % 5, status: 'open' })))
    let round = 0
    const found = await pages(c, { where: { status: 'open' }, sort: { n: 1 }, limit: 6 }, async (seen) => {
      round++
      // Inserts a document before the page, after it, and in its midst, and removes the very document the cursor points to.
      for (const n of [-1, 2, 9]) await c.insert({ itemId: `x${round}${n}`, n, status: 'open' })
      if (round === 2) await c.deleteMany({ itemId: { prefix: 'x1' } })
      assert.ok(seen > 0)
    })
    assert.deepEqual(found.filter((id) => id.startsWith('s')).sort(), steady)
    assert.equal(new Set(found).size, found.length)
  })

  test('a page goes on from a document that was removed', async () => {
    const c = bench.items('page-gone')
    for (const itemId of ['a', 'b', 'c', 'd']) await c.insert({ itemId, n: 1 })
    const first = await c.find({ sort: { n: 1 }, limit: 2 })
    await c.deleteOne('b')
    const next = await c.find({ sort: { n: 1 }, limit: 2, cursor: first.nextCursor as string })
    assert.deepEqual(
      next.items.map((item) => item.itemId),
      ['c', 'd'],
    )
  })

  test('a cursor that was edited, or is of another query, collection or tenant, is BAD_REQUEST naming cursor', async () => {
    const c = bench.items('page-cursor')
    for (const itemId of ['a', 'b', 'c']) await c.insert({ itemId, n: 1, status: 'open' })
    await bench.items('page-other').insert({ itemId: 'a' })
    const query = { where: { status: 'open' }, sort: { n: 1 }, limit: 1 } as const
    const cursor = (await c.find(query)).nextCursor as string
    assert.match(cursor, /^[\w-]+$/)
    const forged = Buffer.from(Buffer.from(cursor, 'base64url').toString().replace('"a"', '"b"')).toString('base64url')
    for (const bad of [
      '',
      'x',
      '!',
      `${cursor}!`,
      `${cursor}A`,
      cursor.slice(1),
      forged,
      Buffer.from('[1,"a"]').toString('base64url'),
      5 as never,
    ])
      await assert.rejects(c.find({ ...query, cursor: bad }), refused('cursor'), String(bad))
    await assert.rejects(c.find({ ...query, where: { status: 'done' }, cursor }), refused('cursor'))
    await assert.rejects(c.find({ ...query, sort: { n: -1 }, cursor }), refused('cursor'))
    await assert.rejects(bench.items('page-other').find({ ...query, cursor }), refused('cursor'))
    await assert.rejects(bench.named('page-cursor').find({ limit: 1, cursor }), refused('cursor'))
    assert.deepEqual(
      (await c.find({ ...query, cursor })).items.map((item) => item.itemId),
      ['b'],
    )
  })

  test('limits outside 1 to 10,000, and sorts that are none, are BAD_REQUEST', async () => {
    const c = bench.items('page-limit')
    for (const limit of [0, -1, 1.5, 10_001, '5', null, Number.NaN])
      await assert.rejects(c.find({ limit: limit as never }), refused('limit'))
    await assert.rejects(c.find({ sort: { n: 2 as never } }), refused('n'))
    await assert.rejects(c.find({ sort: { 'n; drop table x': 1 } as never }), refused('n; drop table x'))
    assert.deepEqual((await c.find({ limit: 10_000 })).items, [])
  })
}
