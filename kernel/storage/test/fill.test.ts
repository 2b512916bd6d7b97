import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Long, MongoClient } from 'mongodb'
import { systemClock } from '../../core/src/clock.ts'
import { openMongo } from '../../storage-mongodb/src/open.ts'
import { pagesOf } from '../../storage-mongodb/src/row-pages.ts'
import { mongoRows } from '../../storage-mongodb/src/rows.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { openSqlite, sqliteRows } from '../../storage-sqlite/src/index.ts'
import { comparePlaces, type Row, type RowReader, rowsOf } from '../src/migration/rows.ts'
import type { FillableStore } from '../src/port.ts'
import { collections, seats, things } from './migration-fixture.ts'
import { silent } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const TENANTS = 23
const ROWS = 10

const row = (tenant: string, id: string, more: object = {}): Row => ({ tenant, id, doc: { id, ...more } })
const rows = Array.from({ length: TENANTS * ROWS }, (_, i) => row(`tenant-${i % TENANTS}`, `thing-${i}`, { name: i % 2 ? null : 'x' }))
// Enough for several pages within one tenant.
rows.push(...Array.from({ length: 700 }, (_, i) => row('tenant-7\u{1F600}', `n${i}`)))

async function listed(some: AsyncIterable<Row>): Promise<readonly Row[]> {
  const list: Row[] = []
  for await (const one of some) list.push(one)
  return list
}

async function filled(store: FillableStore, reader: () => Promise<RowReader>): Promise<void> {
  await store.prepare(collections)
  for (let n = 0; n < rows.length; n += 200) assert.deepEqual(await store.fill(things, rows.slice(n, n + 200)), [])
  const first = [row('a', '1', { holder: 'x' }), row('b', '1', { holder: 'x' })]
  assert.deepEqual(await store.fill(seats, first), [], 'another tenant has values of its own')
  const [sameId, sameHolder, fresh] = [row('a', '1', { holder: 'y' }), row('a', '2', { holder: 'x' }), row('a', '3', { holder: 'z' })]
  assert.deepEqual(await store.fill(seats, [sameId, sameHolder, fresh]), [sameId, sameHolder])
  assert.deepEqual(await store.fill(seats, []), [])

  const read = await reader()
  try {
    const all = rows.toSorted(comparePlaces)
    assert.deepEqual(await listed(rowsOf(read, things, undefined)), all)
    for (const at of [0, 60, 300, all.length - 1])
      assert.deepEqual(await listed(rowsOf(read, things, all[at])), all.slice(at + 1), `behind row ${at}`)
    assert.deepEqual(await listed(rowsOf(read, seats, undefined)), [first[0], fresh, first[1]])
  } finally {
    await read.close()
  }
}

const what = 'is filled with rows of many tenants, returns those that are refused, and is read in order from every place'

test(`SQLite ${what}`, async (t) => {
  const { path, remove } = temporaryFolder()
  t.after(remove)
  const store = await openSqlite({ dataDir: path, clock: systemClock, log: silent, keepExpired: true })
  t.after(() => store.close())
  await filled(store, async () => (await sqliteRows(path)) as RowReader)
})

const lacking = lacksServer()
const server = lacking === undefined ? mongoServer() : undefined
after(async () => (await server)?.stop())

test(`MongoDB ${what}${lacking === undefined ? '' : ` (${lacking})`}`, { skip: lacking !== undefined }, async (t) => {
  const address = new URL((await (server as NonNullable<typeof server>)).url)
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  const url = address.href
  const store = await openMongo({ url, clock: systemClock, log: silent, keepExpired: true, timeoutMs: 30_000 })
  t.after(() => store.close())
  await filled(store, () => mongoRows(url, 30_000))

  const client = new MongoClient(url, { monitorCommands: true })
  t.after(() => client.close())
  const opened: unknown[] = []
  client.on('commandSucceeded', ({ commandName, reply }) => {
    if (commandName === 'find') opened.push((reply as { cursor: { id: unknown } }).cursor.id)
  })
  const read: Row[] = []
  for await (const page of pagesOf(client.db().collection(things.id), 'id', undefined)) {
    const cursors = opened.map((id) => Long.fromString(String(id))).filter((id) => !id.isZero())
    if (cursors.length === 1) await client.db().command({ killCursors: things.id, cursors })
    read.push(...page)
  }
  assert.deepEqual(read, rows.toSorted(comparePlaces), 'also if the server has closed the cursor meanwhile')
  assert.equal(opened.length, 4)
})
