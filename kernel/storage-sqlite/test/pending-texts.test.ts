import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Collection, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import { Connection } from '../src/connection.ts'
import { loadDriver } from '../src/driver.ts'

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), text: Type.String() }),
  key: 'id',
  text: { prepared: { text: 1 } },
})
const plain = defineCollection('plain', { schema: Type.Object({ id: Type.String(), text: Type.String() }), key: 'id' })
type Note = { id: string; text: string }

async function opened() {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes])
  const of = (tenant: string): Collection<Note> => one.store.collection<Note>(notes, tenant)
  const found = async (text: string, c = of('t')) => (await c.search({ text })).map(({ item }) => item.id)
  return { ...one, of, c: of('t'), found, [Symbol.asyncDispose]: () => one.dispose() }
}

test('what one group writes, changes and removes is found as it is in the end', async () => {
  await using one = await opened()
  const { c, of, found } = one
  await c.insertMany(['a', 'b', 'c'].map((id) => ({ id, text: `old ${id}` })))
  await Promise.all([
    c.insert({ id: 'd', text: 'fresh' }),
    c.updateOne('b', { set: { text: 'changed once' } }),
    c.updateOne('a', { set: { text: 'changed' } }),
    c.updateOne('b', { set: { text: 'changed twice' } }),
    c.updateOne('d', { set: { text: 'fresh and changed' } }),
    c.deleteOne('c'),
    // Has the key of the row that was the last.
    c.deleteOne('d'),
    of('other').insert({ id: 'e', text: 'fresh of another' }),
  ])
  assert.deepEqual((await found('changed')).sort(), ['a', 'b'])
  assert.deepEqual(await found('once old fresh c'), [])
  assert.deepEqual(await found('twice'), ['b'])
  assert.deepEqual(await found('fresh', of('other')), ['e'])
})

test('a transaction finds what it wrote, and what it took back is not found; what the group wrote before it is', async () => {
  await using one = await opened()
  const { c, store, found } = one
  const seen: string[] = []
  const [, failed] = await Promise.allSettled([
    c.insert({ id: 'a', text: 'before' }),
    store.atomically('t')(async (tx) => {
      await c.in(tx).insert({ id: 'b', text: 'within' })
      await c.in(tx).updateOne('a', { set: { text: 'within as well' } })
      for (const { item } of await c.in(tx).search({ text: 'within' })) seen.push(item.id)
      await c.in(tx).insert({ id: 'c', text: 'within, last' })
      throw new Error('taken back')
    }),
    c.insert({ id: 'd', text: 'after' }),
  ])
  assert.equal(failed.status, 'rejected')
  assert.deepEqual(seen.sort(), ['a', 'b'])
  assert.deepEqual(await found('within'), [])
  assert.deepEqual((await found('before after')).sort(), ['a', 'd'])
})

test('a tenant that is removed in the group that wrote takes its words along', async () => {
  await using one = await opened()
  const { of, store, found } = one
  await Promise.all([of('gone').insert({ id: 'a', text: 'word' }), store.removeSome('gone', 100)])
  await of('t').insert({ id: 'b', text: 'another' })
  assert.deepEqual(await found('word', of('gone')), [])
  assert.deepEqual(await found('word'), [])
  assert.deepEqual(await found('another'), ['b'])
})

/** A store whose text index has an unreadable page, wherever words are written. */
async function damaged() {
  const one = await opened()
  await one.store.prepare([notes, plain])
  await one.c.insertMany(['a', 'b'].map((id) => ({ id, text: 'word' })))
  await one.store.close()
  const path = join(one.dataDir, 'store', 'gateway.db')
  const db = new Connection((await loadDriver()).open(path, { readOnly: true }))
  const page = db.get(`select rootpage from sqlite_schema where name = 'notes:text_docsize'`)?.rootpage as number
  db.close()
  const handle = openSync(path, 'r+')
  writeSync(handle, Buffer.alloc(64, 0xee), 0, 64, (page - 1) * 4_096)
  closeSync(handle)
  const store = await one.reopen()
  await store.prepare([notes, plain])
  return { ...one, store, c: store.collection<Note>(notes, 't'), other: store.collection<Note>(plain, 't') }
}
const damage = /The store is damaged/

test('a write whose words meet a damaged page fails alone; what is written beside it is written, once', async () => {
  await using one = await damaged()
  const { c, other } = one
  await Promise.all([
    other.insert({ id: 'x', text: '' }),
    assert.rejects(c.insert({ id: 'c', text: 'word' }), damage),
    other.updateOne('x', { set: { text: 'changed' } }),
    assert.rejects(c.updateOne('a', { set: { text: 'changed' } }), damage),
    other.insert({ id: 'y', text: '' }),
  ])
  assert.deepEqual(
    (await other.getMany(['x', 'y'])).map(({ text }) => text),
    ['changed', ''],
  )
  assert.deepEqual(
    (await c.getMany(['a', 'c'])).map(({ text }) => text),
    ['word'],
  )
})

test('a transaction, or a write of many, behind words that meet a damaged page is written', async () => {
  await using one = await damaged()
  const { c, other, store } = one
  await Promise.all([
    assert.rejects(c.insert({ id: 'c', text: 'word' }), damage),
    store.atomically('t')((tx) => other.in(tx).insert({ id: 'x', text: '' })),
    assert.rejects(c.insert({ id: 'd', text: 'word' }), damage),
    other.insertMany([{ id: 'y', text: '' }]),
  ])
  assert.equal((await other.getMany(['x', 'y'])).length, 2)
  assert.deepEqual(await c.getMany(['c', 'd']), [])
})
