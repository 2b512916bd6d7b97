import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CollectionRef, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { MongoClient } from 'mongodb'
import { layoutOf, type Stored } from '../src/layout.ts'
import { lacksServer, mongoServer } from './mongodb-server.ts'
import { mongoSubject } from './mongodb-subject.ts'

const schema = Type.Object({ id: Type.String(), title: Type.String(), body: Type.String() })
const declared = (text: readonly ['title'] | readonly ['title', 'body']) =>
  defineCollection('notes', { schema, key: 'id', text: [...text] })
const older = declared(['title'])
const later = declared(['title', 'body'])
const stampOf = (ref: unknown): string | undefined => layoutOf(ref as CollectionRef).stamp
const note = (n: number) => ({ id: `note-${n}`, title: 'short', body: 'told at length' })

const lacking = lacksServer()
const skip = lacking === undefined ? false : lacking
const server = skip === false ? mongoServer() : undefined
after(async () => (await server)?.stop())

/** Two nodes on one database, of which one has the later declaration; and the stamps of the documents. */
async function twoVersions(t: { after(work: () => Promise<void>): void }) {
  const clock = testClock()
  const subject = await mongoSubject((await (server as NonNullable<typeof server>)).url, { clock })
  const client = await MongoClient.connect(subject.url)
  t.after(async () => {
    await client.close()
    await subject.dispose()
  })
  await subject.store.prepare([older])
  const docs = client.db(new URL(subject.url).pathname.slice(1)).collection<Stored>('notes')
  return { clock, old: subject.store, reopen: () => subject.reopen(), stamps: (): Promise<unknown> => docs.distinct('s') }
}

test('while nodes of two versions run, those of the later one split the texts, and its start ends', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { old, reopen, stamps } = await twoVersions(t)
  await old.collection(older, 'local').insertMany(Array.from({ length: 450 }, (_, n) => note(n)))
  const upgraded = await reopen()
  let isRunning = true
  const passes = (async () => {
    for (; isRunning && !t.signal.aborted; await nextTurn()) await old.splitTexts()
  })()
  await upgraded.prepare([later])
  await old.splitTexts()
  // The old node may have begun a write before it learned of the later declaration.
  await upgraded.splitTexts()
  await old.collection(older, 'local').insert(note(450))
  for (let n = 0; n < 5; n++) await old.splitTexts()
  isRunning = false
  await passes
  assert.deepEqual(new Set((await stamps()) as string[]), new Set([stampOf(older), stampOf(later)]))
  await upgraded.splitTexts()
  await old.splitTexts()
  assert.deepEqual(await stamps(), [stampOf(later)])
  assert.equal((await upgraded.collection(later, 'local').search({ text: 'length', limit: 500 })).length, 451)
})

test('texts are split for an earlier version again when no node of a later one was seen for some minutes', { skip }, async (t) => {
  const { clock, old, reopen, stamps } = await twoVersions(t)
  await old.collection(older, 'local').insert(note(1))
  const upgraded = await reopen()
  await upgraded.prepare([later])
  await upgraded.close()
  clock.advance(170)
  await old.splitTexts()
  assert.deepEqual(await stamps(), [stampOf(later)])
  clock.advance(20)
  await old.splitTexts()
  assert.deepEqual(await stamps(), [stampOf(older)])
  const again = await reopen()
  await again.prepare([later])
  assert.deepEqual(await stamps(), [stampOf(later)])
})
