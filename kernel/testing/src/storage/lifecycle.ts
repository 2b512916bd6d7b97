import assert from 'node:assert/strict'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '../clock.ts'
import { benchOf, type Item, items, named, type OpenSubject, type Subject, type SuiteTest } from './subject.ts'

export function lifecycleTests(open: OpenSubject, test: SuiteTest): void {
  const withSubject = (work: (subject: Subject) => Promise<void>) => async () => {
    const subject = await open({ clock: testClock() })
    try {
      await work(subject)
    } finally {
      await subject.dispose()
    }
  }

  test(
    'what was acknowledged is there after closing and opening again',
    withSubject(async (subject) => {
      await subject.store.prepare([items, named])
      const before = benchOf(() => subject.store)
      await before.items('t').insert({ itemId: 'a', n: 1 })
      await before.named('t').insert({ id: 'a', body: 'some words' })
      const late = before.items('t').insert({ itemId: 'b' })
      await subject.store.close()
      await late
      const store = await subject.reopen()
      const report = await store.prepare([items, named])
      assert.deepEqual(report.created, [])
      const after = benchOf(() => store)
      assert.deepEqual(
        (await after.items('t').find()).items.map((item) => item.itemId),
        ['a', 'b'],
      )
      assert.equal((await after.named('t').search({ text: 'words' })).length, 1)
      await store.close()
    }),
  )

  test(
    'a closed store rejects with UNAVAILABLE, says so in its health, and closes twice',
    withSubject(async ({ store }) => {
      await store.prepare([items])
      const { items: of } = benchOf(() => store)
      const c = of('t')
      assert.equal((await store.health()).connected, true)
      await store.close()
      await store.close()
      for (const late of [
        () => c.get('a'),
        () => c.find(),
        () => c.insert({ itemId: 'a' }),
        () => store.tenants(),
        () => store.atomically('t')(async () => 1),
      ])
        await assert.rejects(async () => late(), { code: 'UNAVAILABLE' })
      assert.equal((await store.health()).connected, false)
    }),
  )

  test(
    'indexes may come to the same fields, of one another and of the id',
    withSubject(async (subject) => {
      const twice = defineCollection(items.id, {
        schema: items.schema,
        key: 'itemId',
        indexes: [{ keys: { itemId: 1 } }, { keys: { status: 1 } }, { keys: { status: 1, itemId: 1 } }],
      })
      await subject.store.prepare([twice])
      const c = subject.store.collection<{ itemId: string; status?: string }>(twice, 't')
      for (const itemId of ['b', 'a']) await c.insert({ itemId, status: 'open' })
      const { items: found } = await c.find({ where: { status: 'open' }, sort: { itemId: 1 } })
      assert.deepEqual(
        found.map(({ itemId }) => itemId),
        ['a', 'b'],
      )
      await subject.store.close()
      assert.deepEqual(await (await subject.reopen()).prepare([twice]), { created: [], unused: [] })
    }),
  )

  test(
    'indexes and text fields may be added later, and see what is there already; those no longer declared are reported',
    withSubject(async (subject) => {
      const bare = defineCollection(items.id, { schema: items.schema, key: 'itemId' })
      await subject.store.prepare([bare])
      const c = subject.store.collection<{ itemId: string }>(bare, 't')
      await c.insert({ itemId: 'a', status: 'open', flag: true, n: 2, title: 'some words' } as never)
      await c.insert({ itemId: 'b' })
      await subject.store.close()

      const searched = defineCollection(items.id, { schema: items.schema, key: 'itemId', indexes: items.indexes, text: ['title'] })
      const store = await subject.reopen()
      const report = await store.prepare([searched])
      assert.ok(report.created.length > 0)
      assert.deepEqual(report.unused, [])
      const grown = benchOf(() => store).items('t')
      assert.deepEqual(
        (await grown.find({ where: { status: 'open', flag: true }, sort: { n: -1 } })).items.map((item) => item.itemId),
        ['a'],
      )
      assert.deepEqual(await grown.distinct('n'), [2])
      assert.equal((await grown.search({ text: 'words' })).length, 1)

      await store.close()
      const less = await subject.reopen()
      assert.ok((await less.prepare([bare])).unused.length > 0)
      await less.collection<{ itemId: string }>(bare, 't').updateOne('a', { set: { title: 'other', n: 3 } } as never)
      await less.close()
      const last = await subject.reopen()
      assert.deepEqual(await last.prepare([searched]), { created: [], unused: [] })
      const again = benchOf(() => last).items('t')
      assert.deepEqual(await again.distinct('n'), [3])
      assert.deepEqual([(await again.search({ text: 'words' })).length, (await again.search({ text: 'other' })).length], [0, 1])
      await last.close()
    }),
  )

  const Numbered = Type.Object({ itemId: Type.String(), n: Type.Number() })
  const unique = (isUnique: boolean) =>
    defineCollection(items.id, { schema: Numbered, key: 'itemId', indexes: [{ keys: { n: 1 }, unique: isUnique }] })

  test(
    'an index that is no longer unique refuses nothing',
    withSubject(async (subject) => {
      await subject.store.prepare([unique(true)])
      await subject.store.collection<Item>(unique(true), 't').insert({ itemId: 'a', n: 7 })
      await subject.store.close()
      const store = await subject.reopen()
      assert.deepEqual((await store.prepare([unique(false)])).unused, [])
      await store.collection<Item>(unique(false), 't').insert({ itemId: 'b', n: 7 })
    }),
  )

  test(
    'an index that cannot become unique keeps the store from opening, and the message says why and what to do',
    withSubject(async (subject) => {
      await subject.store.prepare([unique(false)])
      const c = subject.store.collection<Item>(unique(false), 't')
      for (const itemId of ['a', 'b']) await c.insert({ itemId, n: 7 })
      await subject.store.close()
      const refused = await subject.reopen()
      await assert.rejects(refused.prepare([unique(true)]), /suite\.items.*unique.*\bn\b.*version before/s)
      await refused.close()
      const before = await subject.reopen()
      assert.deepEqual((await before.prepare([unique(false)])).created, [])
      await before.collection<Item>(unique(false), 't').deleteOne('b')
      await before.close()
      assert.equal((await (await subject.reopen()).prepare([unique(true)])).created.length, 1)
    }),
  )

  test(
    'names that cannot be told from operators are refused',
    withSubject(async ({ store }) => {
      for (const name of ['and', 'or', 'not', '__proto__', 'a.b', ''])
        await assert.rejects(
          store.prepare([defineCollection('suite.bad', { schema: items.schema, key: 'itemId', indexes: [{ keys: { [name]: 1 } }] })]),
        )
      for (const id of ['Bad', 'a b', '"', 'a;b', '1a'])
        await assert.rejects(store.prepare([defineCollection(id, { schema: items.schema, key: 'itemId' })]))
      await store.prepare([items])
    }),
  )
}
