import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { MAX_COLLECTIONS } from '../src/limits.ts'
import { watched } from '../src/watched.ts'
import { subject } from './subject.ts'

const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String(), n: Type.Integer() }, closed), key: 'id' })
type Note = { id: string; n: number }

test('objects for collections are kept for so many names of tenants and no more, by the store and around it', async () => {
  const made = await subject({ clock: testClock() })
  await made.store.prepare([notes])
  for (const store of [made.store, watched(made.store)]) {
    const first = store.collection(notes, 'name-0')
    assert.equal(store.collection(notes, 'name-0'), first)
    for (let n = 1; n <= MAX_COLLECTIONS; n++) store.collection(notes, `name-${n}`)
    assert.notEqual(store.collection(notes, 'name-0'), first)
  }
  await made.dispose()
})

test('for a tenant that has ended every write is refused, also within a transaction that had begun; reads and deletes go on', async () => {
  const made = await subject({ clock: testClock() })
  await made.store.prepare([notes])
  let isEnded = false
  const store = watched(made.store, (tenantId) => isEnded && tenantId === 'acme')
  const acme = store.collection<Note>(notes, 'acme')
  await acme.insertMany([
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ])
  const refusal = { code: 'FORBIDDEN', message: 'Tenant acme is deleted: the store refuses writes for it.' }
  await assert.rejects(
    store.atomically('acme')(async (tx) => {
      await acme.in(tx).updateOne('a', { set: { n: 2 } })
      isEnded = true
      await acme.in(tx).insert({ id: 'c', n: 1 })
    }),
    refusal,
  )
  const writes = [
    () => acme.insert({ id: 'd', n: 1 }),
    () => acme.insertMany([{ id: 'd', n: 1 }]),
    () => acme.upsert({ id: 'd', n: 1 }, {}),
    () => acme.updateOne('a', { set: { n: 3 } }),
    () => acme.updateMany({}, { set: { n: 3 } }),
    () => acme.claim({ where: {}, sort: { n: 1 }, update: { set: { n: 3 } } }),
  ]
  for (const write of writes) await assert.rejects(write(), refusal)
  assert.deepEqual((await acme.find()).items, [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ])
  await acme.deleteOne('a')
  assert.equal(await acme.deleteMany({}), 1)
  await store.collection<Note>(notes, 'bolt').insert({ id: 'e', n: 1 })
  await made.dispose()
})
