import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Collection, DuplicateKey, defineCollection, type Infer, now, type Transaction, Type } from '@gateway/sdk'
import { closed } from '../src/index.ts'
import { type Equal, holds } from './type-assertions.ts'

const schema = Type.Object(
  {
    id: Type.String(),
    n: Type.Integer(),
    open: Type.Boolean(),
    state: Type.Enum(['new', 'done']),
    tags: Type.Array(Type.String()),
    at: Type.Optional(Type.String()),
    meta: Type.Optional(Type.Object({ deep: Type.String() })),
  },
  closed,
)
type Doc = Infer<typeof schema>

/** Type-checks the queries below without a store to run them. */
const typed = (_use: (docs: Collection<Doc>, tx: Transaction) => unknown): void => {}

test('a collection is inert data with nothing declared but its schema and key', () => {
  assert.deepEqual(defineCollection('x', { schema, key: 'id' }), { kind: 'collection', id: 'x', schema, key: 'id', indexes: [], text: [] })
})

test('now() is the store’s time plus an offset in seconds', () => {
  assert.deepEqual(now(), { $now: 0 })
  assert.deepEqual(now(3600), { $now: 3_600_000 })
  assert.deepEqual(now(-1.5), { $now: -1_500 })
})

test('a taken key is an error that names collection and fields', () => {
  const error = DuplicateKey({ collection: 'x', fields: ['a', 'b'] })
  assert.equal(error.status, 409)
  assert.equal(error.message, 'A record with the same a, b exists in x.')
})

test('key, indexes and text name fields of the document', () => {
  defineCollection('x', {
    schema,
    key: 'id',
    indexes: [
      { keys: { state: 1, at: -1 }, unique: true, present: 'at' },
      { keys: { at: 1 }, expireAfterSeconds: 60 },
    ],
    text: ['state', 'at'],
  })
  // @ts-expect-error no such field
  defineCollection('x', { schema, key: 'nope' })
  // @ts-expect-error no such field
  defineCollection('x', { schema, key: 'id', indexes: [{ keys: { nope: 1 } }] })
  // @ts-expect-error ascending is 1, descending -1
  defineCollection('x', { schema, key: 'id', indexes: [{ keys: { at: 2 } }] })
  // @ts-expect-error no such field
  defineCollection('x', { schema, key: 'id', indexes: [{ keys: { at: 1 }, present: 'nope' }] })
  // @ts-expect-error no such field
  defineCollection('x', { schema, key: 'id', text: ['nope'] })
})

test('a document read is the document the schema describes', () => {
  typed(async (docs) => {
    const doc = await docs.get('a')
    holds<Equal<typeof doc, Doc | undefined>>()
    const { items, nextCursor } = await docs.find()
    holds<Equal<(typeof items)[number], Doc>>()
    holds<Equal<typeof nextCursor, string | undefined>>()
    const states = await docs.distinct('state')
    holds<Equal<(typeof states)[number], 'new' | 'done'>>()
  })
})

test('a filter compares fields with values of their type', () => {
  typed((docs) =>
    docs.find({
      where: {
        state: 'new',
        n: { gt: 3, lte: 9 },
        open: { ne: false },
        at: { lte: now(), exists: true },
        tags: { has: 'x' },
        id: { prefix: 'a', contains: 'b', nin: ['c', null] },
        or: [{ at: null }, { not: { n: { in: [1, 2] } } }],
        and: [{ n: 1 }],
      },
      sort: { n: 1, at: -1 },
      limit: 3,
      cursor: 'x',
    }),
  )
  // @ts-expect-error not one of its values
  typed((docs) => docs.find({ where: { state: 'zz' } }))
  // @ts-expect-error a number is no string
  typed((docs) => docs.find({ where: { n: { gt: '3' } } }))
  // @ts-expect-error a number is compared with no time
  typed((docs) => docs.find({ where: { n: { gt: now() } } }))
  // @ts-expect-error the elements are strings
  typed((docs) => docs.find({ where: { tags: { has: 1 } } }))
  // @ts-expect-error no such field
  typed((docs) => docs.find({ where: { nope: 1 } }))
  // @ts-expect-error no such operator
  typed((docs) => docs.find({ where: { n: { regex: 'x' } } }))
  // @ts-expect-error fields inside a field are not reached
  typed((docs) => docs.find({ where: { meta: { deep: 'x' } } }))
  // @ts-expect-error no such field to sort by
  typed((docs) => docs.find({ sort: { nope: 1 } }))
})

test('an update changes fields to values of their type', () => {
  typed((docs) =>
    docs.updateOne(
      'a',
      {
        set: { state: 'done', at: now(5), meta: { deep: 'x' }, open: undefined },
        unset: ['at'],
        inc: { n: 1 },
        min: { n: 0 },
        max: { n: 9 },
        push: { tags: 'x' },
        addToSet: { tags: 'x' },
        pull: { tags: 'x' },
      },
      { open: true },
    ),
  )
  // @ts-expect-error a string cannot be added to
  typed((docs) => docs.updateOne('a', { inc: { id: 1 } }))
  // @ts-expect-error only an array is pushed to
  typed((docs) => docs.updateOne('a', { push: { id: 'x' } }))
  // @ts-expect-error the elements are strings
  typed((docs) => docs.updateOne('a', { push: { tags: 1 } }))
  // @ts-expect-error not one of its values
  typed((docs) => docs.updateOne('a', { set: { state: 'zz' } }))
  // @ts-expect-error a number is set to no time
  typed((docs) => docs.updateOne('a', { set: { n: now() } }))
  // @ts-expect-error no such field
  typed((docs) => docs.updateOne('a', { unset: ['nope'] }))
  // @ts-expect-error no such operator
  typed((docs) => docs.updateOne('a', { rename: { n: 'm' } }))
})

test('a document written is whole', () => {
  typed((docs) => docs.insert({ id: 'a', n: 1, open: true, state: 'new', tags: [] }))
  // @ts-expect-error `tags` is missing
  typed((docs) => docs.insert({ id: 'a', n: 1, open: true, state: 'new' }))
  // @ts-expect-error no such field
  typed((docs) => docs.insert({ id: 'a', n: 1, open: true, state: 'new', tags: [], nope: 1 }))
  // @ts-expect-error a time that the store fills in stands in updates only
  typed((docs) => docs.insert({ id: 'a', n: 1, open: true, state: 'new', tags: [], at: now() }))
})

test('groups sum numbers, and a claim says in which order it looks', () => {
  typed((docs) => docs.group({ by: ['state', 'open'], sum: ['n'] }))
  // @ts-expect-error a string has no sum
  typed((docs) => docs.group({ by: ['state'], sum: ['id'] }))
  // @ts-expect-error an order is needed
  typed((docs) => docs.claim({ where: {}, update: {} }))
})

test('inside a transaction a collection has the same methods', () => {
  typed((docs, tx) => {
    holds<Equal<ReturnType<typeof docs.in>, Collection<Doc>>>()
    holds<Equal<typeof tx.now, Date>>()
    // @ts-expect-error a transaction comes from `atomically`
    return docs.in()
  })
})
