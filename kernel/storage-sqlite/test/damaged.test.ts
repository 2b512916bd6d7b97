import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import { loadDriver } from '../src/driver.ts'

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), n: Type.Number(), body: Type.String() }),
  key: 'id',
  indexes: [{ keys: { n: 1 } }],
})
type Note = { id: string; n: number; body: string }
const PAGE = 4_096
const HEADER = Buffer.alloc(64, 0xee)

const filled = async () => {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes])
  const all = Array.from({ length: 400 }, (_, n) => ({ id: `note-${n}`, n, body: `${n}-`.padEnd(300, 'x') }))
  await one.store.collection<Note>(notes, 't').insertMany(all)
  return { ...one, file: join(one.dataDir, 'store', 'gateway.db') }
}

/** Destroys the page with this byte. */
function writeOver(file: string, at: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, HEADER, 0, HEADER.length, at - (at % PAGE))
  closeSync(handle)
}

/** A store of 400 notes, with the page of `note-200` destroyed. */
async function damaged() {
  const one = await filled()
  await one.store.close()
  const bytes = readFileSync(one.file)
  const at = bytes.indexOf('"note-200"')
  assert.ok(at > 0 && at < bytes.length, 'all of the store is in its file after a clean stop')
  writeOver(one.file, at)
  const store = await one.reopen({ smallCollection: 1_000 })
  await store.prepare([notes])
  return { ...one, store, c: store.collection<Note>(notes, 't') }
}

const isDamage = /The store is damaged: .*malformed.*`gateway doctor` says what to do/
const refused = (work: Promise<unknown>) => assert.rejects(work, isDamage)

test('a damaged page is the error of the call that meets it; other reads of the turn and the process go on', async () => {
  const { c, store, dispose } = await damaged()
  assert.equal((await store.health()).damaged, undefined)
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all([
      refused(c.find({ limit: 1_000 })),
      refused(c.find({ where: { body: 'none' } })),
      refused(c.get('note-200')),
      c.get('note-0').then((note) => assert.equal(note?.n, 0)),
    ])
    // End of the readers' turn.
    await new Promise((done) => setImmediate(done))
  }
  const { connected, damaged: found, writesFail } = await store.health()
  assert.equal(connected, true)
  assert.match(found ?? '', isDamage)
  assert.equal(writesFail, undefined)
  await dispose()
})

test('a write that meets a damaged page fails alone; what is written beside it is written, once', async () => {
  const { c, store, dispose } = await damaged()
  const bad = () => refused(c.updateMany({}, { inc: { n: 1 } }))
  const inTransaction = store.atomically('t')(async (tx) => {
    await c.in(tx).updateOne('note-1', { inc: { n: 1_000 } })
    return 'done'
  })
  await Promise.all([
    c.insert({ id: 'a', n: 1, body: '' }),
    bad(),
    c.updateOne('note-0', { inc: { n: 1_000 } }),
    bad(),
    inTransaction.then((result) => assert.equal(result, 'done')),
    c.insert({ id: 'b', n: 1, body: '' }),
  ])
  assert.deepEqual(
    (await c.getMany(['a', 'b', 'note-0', 'note-1'])).map(({ n }) => n),
    [1, 1, 1_000, 1_001],
  )
  assert.match((await store.health()).damaged ?? '', isDamage)
  await dispose()
})

test('a read in the thread that meets a damaged page is told the same', async () => {
  const one = await damaged()
  await one.store.close()
  const store = await one.reopen({ smallCollection: -1 })
  await store.prepare([notes])
  await refused(store.collection<Note>(notes, 't').count({ body: 'none' }))
  assert.match((await store.health()).damaged ?? '', isDamage)
  await one.dispose()
})

test('where a collection is damaged, what runs by itself hears of the tenants of the others, and counting says what it met', async () => {
  const one = await filled()
  const labels = defineCollection('labels', { schema: Type.Object({ id: Type.String() }), key: 'id' })
  await one.store.prepare([notes, labels])
  await one.store.collection<{ id: string }>(labels, 'u').insert({ id: 'a' })
  await one.store.close()
  const driver = await loadDriver()
  const db = driver.open(one.file, { readOnly: true })
  const { rootpage } = db.prepare("select rootpage from sqlite_schema where name = 'labels:id'").get() as { rootpage: number }
  db.close()
  writeOver(one.file, (rootpage - 1) * PAGE)
  const store = await one.reopen()
  await store.prepare([notes, labels])
  assert.deepEqual(await store.tenants(), ['t'])
  assert.match((await store.health()).damaged ?? '', isDamage)
  await refused(store.documentsOf('u'))
  await one.dispose()
})
