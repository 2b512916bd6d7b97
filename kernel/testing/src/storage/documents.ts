import assert from 'node:assert/strict'
import { now } from '@gateway/sdk'
import type { Bench } from './subject.ts'

const badRequest = (field: string) => (error: { code?: string; details?: { field?: string } }) => {
  assert.equal(error.code, 'BAD_REQUEST')
  assert.equal(error.details?.field, field)
  return true
}
const duplicate =
  (...fields: string[]) =>
  (error: { code?: string; details?: unknown }) => {
    assert.equal(error.code, 'DUPLICATE_KEY')
    assert.deepEqual((error.details as { fields: string[] }).fields, fields)
    return true
  }

export function documentTests(bench: Bench): void {
  const { test } = bench
  test('what is inserted is got, and is nobody else’s object', async () => {
    const c = bench.items('doc-get')
    const doc = { itemId: 'a', n: 1, tags: ['x'], data: { deep: { er: [1, null, 'é😀'] } } }
    const stored = await c.insert(doc)
    assert.deepEqual(stored, doc)
    stored.tags?.push('changed')
    doc.tags.push('changed too')
    const got = await c.get('a')
    assert.deepEqual(got?.tags, ['x'])
    got?.tags?.push('changed')
    assert.deepEqual((await c.get('a'))?.tags, ['x'])
    assert.equal(await c.get('b'), undefined)
  })

  test('undefined and absent are the same', async () => {
    const c = bench.items('doc-undefined')
    const stored = await c.insert({ itemId: 'a', status: undefined, owner: null } as never)
    assert.deepEqual(Object.keys(stored), ['itemId', 'owner'])
    assert.equal(await c.count({ status: null, owner: { exists: false } }), 1)
    await c.updateOne('a', { set: { status: undefined, title: 't' } })
    assert.deepEqual(await c.get('a'), { itemId: 'a', owner: null, title: 't' })
  })

  test('a document with a field named __proto__ is kept and changes no prototype', async () => {
    const c = bench.items('doc-proto')
    const doc = JSON.parse('{"itemId":"a","data":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}}')
    await c.insert(doc)
    const after = await c.updateOne('a', { set: { title: 't' } })
    assert.equal(JSON.stringify(after), '{"itemId":"a","data":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true},"title":"t"}')
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    await assert.rejects(c.updateOne('a', { set: JSON.parse('{"__proto__":{"x":1}}') }), badRequest('__proto__'))
    await assert.rejects(c.find({ where: JSON.parse('{"__proto__":1}') }), badRequest('__proto__'))
  })

  test('members inside a member may have any name', async () => {
    const c = bench.items('doc-names')
    const data = { '.': 1, 'a.b': { '': [{ $set: 'x' }] }, $where: { _id: 1 } }
    await c.insert({ itemId: 'a', data })
    assert.deepEqual((await c.updateOne('a', { set: { n: 1 } }))?.data, data)
  })

  test('an id that is taken is DUPLICATE_KEY and changes nothing', async () => {
    const c = bench.items('doc-duplicate')
    await c.insert({ itemId: 'a', n: 1 })
    await assert.rejects(c.insert({ itemId: 'a', n: 2 }), duplicate('itemId'))
    assert.equal((await c.get('a'))?.n, 1)
  })

  test('many are inserted in one step: all of them, in the order given', async () => {
    const c = bench.items('doc-insert-many')
    const docs = Array.from({ length: 1_000 }, (_, n) => ({ itemId: `${n}`, n, note: undefined }))
    const stored = await c.insertMany(docs as never)
    assert.deepEqual(
      stored,
      docs.map(({ itemId, n }) => ({ itemId, n })),
    )
    assert.equal(await c.count(), 1_000)
    assert.deepEqual(await c.get('999'), { itemId: '999', n: 999 })
    assert.deepEqual(await c.insertMany([]), [])
    await assert.rejects(c.insertMany([...docs, { itemId: 'more' }] as never), badRequest('docs'))
  })

  test('of many with one that cannot be inserted, none is', async () => {
    const c = bench.named('doc-insert-none')
    await c.insert({ id: 'a', name: 'x' })
    const refused = [
      [[{ id: 'b' }, { id: 'a' }], 'id'],
      [[{ id: 'b' }, { id: 'c', name: 'x' }], 'name'],
      [[{ id: 'b' }, { id: 'b' }], 'id'],
      [
        [
          { id: 'b', name: 'y' },
          { id: 'c', name: 'y' },
        ],
        'name',
      ],
    ] as const
    for (const [docs, field] of refused) {
      await assert.rejects(c.insertMany(docs), duplicate(field))
      assert.equal(await c.count(), 1)
    }
    await assert.rejects(c.insertMany([{ id: 'b' }, { id: '' }]), badRequest('id'))
    assert.equal(await c.count(), 1)
  })

  test('an id that is no text is BAD_REQUEST naming its field', async () => {
    const c = bench.items('doc-id')
    for (const itemId of ['', 5, undefined, null, 'a\0b', '\ud800'])
      await assert.rejects(c.insert({ itemId } as never), badRequest('itemId'))
    assert.equal(await c.count(), 0)
    await c.insert({ itemId: 'a' })
    assert.equal(await c.get('a\0b'), undefined)
    assert.deepEqual(await c.getMany(['a\0b']), [])
    assert.equal(await c.updateOne('a\0b', { set: { n: 1 } }), undefined)
  })

  test('text that has a NUL is not taken for what it begins with', async () => {
    const c = bench.items('doc-nul')
    await c.insert({ itemId: 'a', owner: 'x', note: 'x' })
    assert.equal((await c.insert({ itemId: 'b', owner: 'x\0y', note: 'x\0y' })).note, 'x\0y')
    for (const field of ['owner', 'note']) {
      assert.equal(await c.count({ [field]: 'x' }), 1)
      assert.equal((await c.find({ where: { [field]: { in: ['x\0', 'x\0z'] } } })).items.length, 0)
    }
  })

  test('a unique index holds among the documents that have the field', async () => {
    const c = bench.named('doc-unique')
    await c.insert({ id: 'a', name: 'x' })
    await c.insert({ id: 'b' })
    await c.insert({ id: 'c' })
    await assert.rejects(c.insert({ id: 'd', name: 'x' }), duplicate('name'))
    await assert.rejects(c.updateOne('b', { set: { name: 'x', place: 'here' } }), duplicate('name'))
    assert.deepEqual(await c.get('b'), { id: 'b' })
    await c.updateOne('a', { unset: ['name'] })
    assert.equal((await c.updateOne('b', { set: { name: 'x' } }))?.name, 'x')
  })

  test('a unique index refuses nothing of documents that lack its field', async () => {
    const c = bench.named('doc-unique-lacking')
    await c.insert({ id: 'a' })
    await c.insert({ id: 'b' })
    await c.insertMany([{ id: 'c' }, { id: 'd', code: 'x' }])
    assert.equal(await c.count(), 4)
  })

  test('a unique index of an optional field holds among the documents that have it', async () => {
    const c = bench.named('doc-unique-optional')
    await c.insertMany([{ id: 'a' }, { id: 'b', code: 'x' }])
    await assert.rejects(c.insert({ id: 'c', code: 'x' }), duplicate('code'))
    await assert.rejects(c.updateOne('a', { set: { code: 'x' } }), duplicate('code'))
  })

  test('getMany gives the documents that exist, in the order asked', async () => {
    const c = bench.items('doc-many')
    for (const itemId of ['a', 'b', 'c']) await c.insert({ itemId })
    assert.deepEqual(
      (await c.getMany(['c', 'x', 'a'])).map((doc) => doc.itemId),
      ['c', 'a'],
    )
    assert.deepEqual(await c.getMany([]), [])
    await assert.rejects(c.getMany(Array.from({ length: 1001 }, (_, i) => `${i}`)), badRequest('ids'))
  })

  test('updateOne changes one document if it still meets the condition', async () => {
    const c = bench.items('doc-update')
    await c.insert({ itemId: 'a', status: 'open', n: 1, tags: ['x'] })
    assert.equal(await c.updateOne('a', { set: { n: 2 } }, { status: 'done' }), undefined)
    assert.deepEqual(await c.updateOne('a', { set: { status: 'done' }, inc: { n: 4 }, push: { tags: 'y' } }, { status: 'open' }), {
      itemId: 'a',
      status: 'done',
      n: 5,
      tags: ['x', 'y'],
    })
    assert.equal(await c.updateOne('b', { set: { n: 2 } }), undefined)
    assert.equal((await c.find({ where: { status: 'done', n: 5 } })).items.length, 1)
  })

  test('an update that does not fit is BAD_REQUEST naming the field and changes nothing', async () => {
    const c = bench.items('doc-misfit')
    await c.insert({ itemId: 'a', title: 'text', n: 1, tags: ['x'] })
    const refused: [object, string][] = [
      [{ set: { n: 9 }, inc: { title: 1 } }, 'title'],
      [{ set: { n: 9 }, push: { title: 'x' } }, 'title'],
      [{ set: { n: 9 }, inc: { n: 1 } }, 'n'],
      [{ set: { itemId: 'b' } }, 'itemId'],
      [{ inc: { n: Number.NaN } }, 'n'],
      [{ set: { 'a.b': 1 } }, 'a.b'],
      [{ $set: { n: 1 } }, '$set'],
    ]
    for (const [update, field] of refused) await assert.rejects(c.updateOne('a', update), badRequest(field), JSON.stringify(update))
    assert.deepEqual(await c.get('a'), { itemId: 'a', title: 'text', n: 1, tags: ['x'] })
  })

  test('a number that JSON has not is never stored: inc refuses to become one, and zero has no sign', async () => {
    const c = bench.items('doc-numbers')
    await c.insert({ itemId: 'a', n: Number.MAX_VALUE })
    await assert.rejects(c.updateOne('a', { inc: { n: Number.MAX_VALUE } }), badRequest('n'))
    assert.equal((await c.get('a'))?.n, Number.MAX_VALUE)
    const after = await c.updateOne('a', { set: { n: -0, weight: Number.NaN } })
    assert.deepEqual(after, { itemId: 'a', n: 0, weight: null })
    assert.deepEqual(await c.get('a'), after)
  })

  test('a filter that is none is BAD_REQUEST naming the field', async () => {
    const c = bench.items('doc-filter')
    const refused: [object, string][] = [
      [{ n: { $gt: 1 } }, 'n'],
      [{ status: { in: 'open' } }, 'status'],
      [{ status: { exists: 1 } }, 'status'],
      [{ title: { prefix: 1 } }, 'title'],
      [{ title: { eq: { a: 1 } } }, 'title'],
      [{ "a') or 1 = 1 --": 'x' }, "a') or 1 = 1 --"],
    ]
    for (const [where, field] of refused) await assert.rejects(c.find({ where }), badRequest(field), JSON.stringify(where))
  })

  test('values compare within their type only, in an indexed field and in one that is not', async () => {
    const c = bench.items('doc-types')
    for (const [i, value] of [5, '5', 'a', null, true, ['a'], { a: 1 }].entries())
      await c.insert({ itemId: `${i}`, owner: value, note: value } as never)
    for (const field of ['owner', 'note']) {
      const found = async (condition: object): Promise<string[]> =>
        (await c.find({ where: { [field]: condition, itemId: { lt: '4' } } as never })).items.map((item) => item.itemId)
      assert.deepEqual(await found({ gt: 1 }), ['0'])
      assert.deepEqual(await found({ lte: 5 }), ['0'])
      assert.deepEqual(await found({ lt: 'b' }), ['1', '2'])
      assert.deepEqual(await found({ gte: '' }), ['1', '2'])
      assert.deepEqual(await found({ prefix: '' }), ['1', '2'])
      assert.deepEqual(await found({ contains: '5' }), ['1'])
      assert.deepEqual(await found({ in: [5, 'a'] }), ['0', '2'])
      assert.deepEqual(await found({ exists: true }), ['0', '1', '2'])
    }
  })

  test('a prefix ends where its last character does, whatever follows that', async () => {
    const c = bench.items('doc-prefix')
    const titles = ['\ud7ff', '\ud7ffa', '\ue000', '\u{10ffff}', '\u{10ffff}a', 'a\u{10ffff}', 'a\u{10ffff}z', 'b', 'a%', 'a_']
    for (const [i, title] of titles.entries()) await c.insert({ itemId: `${i}`, title })
    const found = async (prefix: string): Promise<string[]> =>
      (await c.find({ where: { title: { prefix } }, sort: { itemId: 1 } })).items.map((item) => item.itemId)
    assert.deepEqual(await found('\ud7ff'), ['0', '1'])
    assert.deepEqual(await found('\u{10ffff}'), ['3', '4'])
    assert.deepEqual(await found('a\u{10ffff}'), ['5', '6'])
    assert.deepEqual(await found('a%'), ['8'])
    assert.equal((await found('')).length, titles.length)
  })

  test('an array has an element when type and value are the same; what is no array has none', async () => {
    const c = bench.items('doc-has')
    const lists: unknown[] = [['1', 'true'], [1], [true], [null], [{ a: 1 }], [['a']], '1', { x: '1' }, ['{"a":1}']]
    for (const [i, tags] of lists.entries()) await c.insert({ itemId: `${i}`, tags } as never)
    const found = async (has: unknown): Promise<string[]> =>
      (await c.find({ where: { tags: { has } } as never })).items.map((item) => item.itemId)
    assert.deepEqual(await found('1'), ['0'])
    assert.deepEqual(await found(1), ['1'])
    assert.deepEqual(await found(true), ['2'])
    assert.deepEqual(await found(null), ['3'])
    assert.deepEqual(await found({ a: 1 }), ['4'])
    assert.deepEqual(await found(['a']), ['5'])
  })

  test('strings are greater and less by code point, in conditions and in min and max', async () => {
    const c = bench.items('doc-points')
    await c.insert({ itemId: 'a', title: 'ﬁ' })
    assert.equal((await c.updateOne('a', { max: { title: '😀' } }, { title: { lt: '😀' } }))?.title, '😀')
    assert.equal((await c.updateOne('a', { min: { title: 'ﬁ' } }, { title: { gt: 'ﬁ' } }))?.title, 'ﬁ')
    assert.equal(await c.count({ title: { lt: '😀', gte: 'ﬁ' } }), 1)
  })

  test('upsert inserts what is missing and updates what is there', async () => {
    const c = bench.items('doc-upsert')
    assert.deepEqual(await c.upsert({ itemId: 'a', n: 1 }, { inc: { n: 10 } }), { itemId: 'a', n: 1 })
    assert.deepEqual(await c.upsert({ itemId: 'a', n: 1 }, { inc: { n: 10 } }), { itemId: 'a', n: 11 })
    assert.equal(await c.count(), 1)
  })

  test('upserts of one id at once make one document and lose no update', async () => {
    const c = bench.items('doc-upserts')
    await Promise.all(Array.from({ length: 40 }, () => c.upsert({ itemId: 'a', n: 1 }, { inc: { n: 1 } })))
    assert.equal((await c.get('a'))?.n, 40)
  })

  test('deleteOne returns what it removed, if that met the condition', async () => {
    const c = bench.items('doc-delete')
    await c.insert({ itemId: 'a', status: 'open' })
    assert.equal(await c.deleteOne('a', { status: 'done' }), undefined)
    assert.deepEqual(await c.deleteOne('a', { status: 'open' }), { itemId: 'a', status: 'open' })
    assert.equal(await c.deleteOne('a'), undefined)
    assert.equal(await c.count(), 0)
  })

  test('updateMany and deleteMany say how many, and are whole or nothing', async () => {
    const c = bench.items('doc-bulk')
    for (const n of [1, 2, 3, 4]) await c.insert({ itemId: `${n}`, n, status: n < 3 ? 'low' : 'high' })
    assert.equal(await c.updateMany({ status: 'low' }, { inc: { n: 10 } }), 2)
    assert.deepEqual(
      (await c.find({ sort: { n: 1 } })).items.map((doc) => doc.n),
      [3, 4, 11, 12],
    )
    // In any order, some are changed before the one that cannot be.
    for (const n of [20, 21, 22, 23, 24])
      await c.insert({ itemId: `${n}`, n, status: 'mixed', ...(n === 22 ? { tags: 'no list' as never } : {}) })
    await assert.rejects(c.updateMany({ status: 'mixed' }, { push: { tags: 'y' } }), badRequest('tags'))
    assert.equal(await c.count({ tags: { has: 'y' } }), 0)
    assert.equal(await c.deleteMany({ status: 'mixed' }), 5)
    assert.equal(await c.deleteMany({ status: 'high' }), 2)
    assert.deepEqual(
      (await c.find()).items.map((doc) => doc.itemId),
      ['1', '2'],
    )
    assert.equal(await c.deleteMany({ status: 'none' }), 0)
  })

  test('claim takes the first in order and changes it', async () => {
    const c = bench.items('doc-claim')
    await c.insert({ itemId: 'a', status: 'open', n: 1 })
    await c.insert({ itemId: 'b', status: 'open', n: 3 })
    await c.insert({ itemId: 'c', status: 'open', n: 3 })
    await c.insert({ itemId: 'd', status: 'back', n: 9 })
    const claim = { where: { status: { in: ['open', 'working'] } }, sort: { n: -1 }, update: { set: { status: 'done' } } } as const
    const taken = []
    for (let doc = await c.claim(claim); doc; doc = await c.claim(claim)) taken.push(doc)
    assert.deepEqual(
      taken.map((doc) => doc.itemId),
      ['c', 'b', 'a'],
    )
    assert.equal(taken[0]?.status, 'done')
    assert.equal((await c.get('d'))?.status, 'back')
  })

  test('of fifty claimers at once each document goes to exactly one', async () => {
    const c = bench.items('doc-claimers')
    await Promise.all(Array.from({ length: 500 }, (_, i) => c.insert({ itemId: `i${i}`, status: 'open', n: i % 7 })))
    const claimer = async (owner: string): Promise<string[]> => {
      const won: string[] = []
      for (;;) {
        const doc = await c.claim({ where: { status: 'open' }, sort: { n: -1 }, update: { set: { status: 'working', owner } } })
        if (!doc) return won
        assert.equal(doc.owner, owner)
        won.push(doc.itemId)
      }
    }
    const won = (await Promise.all(Array.from({ length: 50 }, (_, i) => claimer(`w${i}`)))).flat()
    assert.equal(won.length, 500)
    assert.equal(new Set(won).size, 500)
  })

  test('writes asked for in order happen in order', async () => {
    const c = bench.items('doc-order')
    const all = [
      c.insert({ itemId: 'a', tags: [] }),
      ...['1', '2', '3'].map((tag) => c.updateOne('a', { push: { tags: tag } })),
      c.deleteOne('a'),
    ]
    assert.deepEqual((await Promise.all(all)).at(-1), { itemId: 'a', tags: ['1', '2', '3'] })
  })

  test('the store’s time stands for the clock when the operation runs', async () => {
    const c = bench.items('doc-time')
    const before = await bench.store.now()
    await c.insert({ itemId: 'a' })
    const doc = await c.updateOne('a', { set: { at: now(3600) } })
    const after = await bench.store.now()
    const at = new Date(doc?.at ?? '').getTime() - 3_600_000
    assert.ok(at >= before.getTime() && at <= after.getTime())
    assert.match(doc?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(await c.count({ at: { gt: now(3000) } }), 1)
    assert.equal(await c.count({ at: { gt: now(4000) } }), 0)
    assert.equal(await c.count({ at: { gt: now() }, not: { at: { lt: now(4000) } } }), 0)
  })

  test('documents expire after their time, and no others', async () => {
    const c = bench.named('doc-expire')
    const ago = async (seconds: number): Promise<string> => new Date((await bench.store.now()).getTime() - seconds * 1000).toISOString()
    await c.insert({ id: 'old', expiresAt: await ago(3600), body: 'fleeting' })
    await c.insert({ id: 'fresh', expiresAt: await ago(-3600), body: 'fleeting' })
    await c.insert({ id: 'within', expiresAt: await ago(10) })
    await c.insert({ id: 'never', body: 'fleeting' })
    await bench.store.sweepExpired()
    assert.deepEqual(
      (await c.find()).items.map((doc) => doc.id),
      ['fresh', 'never', 'within'],
    )
    assert.deepEqual((await c.search({ text: 'fleeting' })).map((hit) => hit.item.id).sort(), ['fresh', 'never'])
  })

  test('documents whose key is their time expire too', async () => {
    const c = bench.samples('doc-expire-by-key')
    const now = (await bench.store.now()).getTime()
    const [old, young] = [3600, 10].map((seconds) => new Date(now - seconds * 1000).toISOString()) as [string, string]
    await c.insert({ at: old })
    await c.insert({ at: young })
    await bench.store.sweepExpired()
    assert.deepEqual((await c.find()).items, [{ at: young }])
  })
}
