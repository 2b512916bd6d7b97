import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Collection, type CollectionRef, defineCollection, Type } from '@gateway/sdk'
import { storageSuite, testClock } from '@gateway/testing'
import fc from 'fast-check'
import { fromSources } from '../../../scripts/typescript/options.mjs'
import { silent, subject } from '../../storage/test/subject.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'
import { Connection } from '../src/connection.ts'
import { isRecent, loadDriver } from '../src/driver.ts'
import { checkIntegrity, openSqlite } from '../src/index.ts'
import { LogSync } from '../src/log-sync.ts'
import { assertDurable } from '../src/open-database.ts'
import { startWriter } from './child.ts'

// Every heavy read goes to the thread here; inside transactions the suite runs the same reads on the writer.
storageSuite('the embedded store', ({ clock }) => subject({ clock, smallCollection: -1 }), { effort: 0.2 })

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), n: Type.Number(), body: Type.Optional(Type.String()) }),
  key: 'id',
  indexes: [{ keys: { n: 1 } }],
  text: ['body'],
})
type Note = { id: string; n: number; body?: string }
const driver = await loadDriver()

function raw(path: string, work: (db: Connection) => void): void {
  const db = new Connection(driver.open(path))
  try {
    work(db)
  } finally {
    db.close()
  }
}

describe('the embedded store on disk', () => {
  async function opened(): Promise<Awaited<ReturnType<typeof subject>> & { c: Collection<Note>; file: string }> {
    const one = await subject({ clock: testClock() })
    await one.store.prepare([notes])
    return { ...one, c: one.store.collection<Note>(notes, 't'), file: join(one.dataDir, 'store', 'gateway.db') }
  }

  test('the database and its log are for their user alone, also where an older version left them open', async () => {
    const { store, c, file, dataDir } = await opened()
    await c.insert({ id: 'a', n: 1 })
    const modes = (): number[] => [file, `${file}-wal`].map((path) => statSync(path).mode & 0o777)
    assert.deepEqual(modes(), [0o600, 0o600])
    await store.close()
    chmodSync(file, 0o644)
    const again = await openSqlite({ dataDir, clock: testClock(), log: silent })
    assert.deepEqual(modes(), [0o600, 0o600])
    await again.close()
  })

  test('an acknowledged write is on disk: WAL with a sync at every commit, or no start', async () => {
    const { store, dispose } = await opened()
    const { journalMode, acknowledges, sqliteVersion } = await store.health()
    assert.deepEqual({ journalMode, acknowledges }, { journalMode: 'wal', acknowledges: 'after the sync to disk' })
    assert.ok(isRecent(sqliteVersion as string))
    await dispose()
    const folder = temporaryFolder()
    raw(join(folder.path, 'a.db'), (db) => {
      assert.throws(() => assertDurable(db), /journal_mode is delete/)
      db.exec('pragma journal_mode = wal; pragma synchronous = off')
      assert.throws(() => assertDurable(db), /synchronous is 0/)
      db.exec('pragma synchronous = normal')
      assertDurable(db)
    })
    folder.remove()
  })

  test('what is not on the disk yet is read by nobody, and after a failed sync the store says so to all', async () => {
    const { store, c, dispose } = await opened()
    let answer: (error?: Error) => void = () => {}
    const disk = mock.method(LogSync.prototype, 'sync', () => new Promise<void>((done, fail) => (answer = (e) => (e ? fail(e) : done()))))
    try {
      const events: string[] = []
      const insert = c.insert({ id: 'a', n: 1 }).then(() => events.push('written'))
      while (disk.mock.callCount() === 0) await new Promise((resolve) => setImmediate(resolve))
      const read = c.get('a').then((found) => events.push(found ? 'read' : 'missed'))
      const counted = c.count().then((n) => events.push(`counted ${n}`))
      const tenants = store.tenants().then((names) => events.push(`tenants ${names}`))
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(events, [])
      answer()
      await Promise.all([insert, read, counted, tenants])
      assert.deepEqual(events.sort(), ['counted 1', 'read', 'tenants t', 'written'])

      const lost = assert.rejects(c.insert({ id: 'b', n: 2 }), { code: 'UNAVAILABLE', message: /EIO/ })
      while (disk.mock.callCount() === 1) await new Promise((resolve) => setImmediate(resolve))
      answer(new Error('EIO: i/o error, fdatasync'))
      await lost
      await assert.rejects(c.get('a'), { code: 'UNAVAILABLE', message: /EIO/ })
      await assert.rejects(c.insert({ id: 'c', n: 3 }), { code: 'UNAVAILABLE', message: /EIO/ })
      const { connected, error } = await store.health()
      assert.equal(connected, false)
      assert.match(String(error), /EIO/)
    } finally {
      disk.mock.restore()
    }
    await dispose()
  })

  test('the log is begun anew while writers leave it no rest, so that it stays small', async () => {
    const { store, dataDir, dispose } = await subject({ clock: testClock(), smallCollection: -1, checkpointFrames: 200 })
    const pages = defineCollection('pages', { schema: Type.Object({ id: Type.String(), body: Type.String() }), key: 'id' })
    await store.prepare([pages])
    const c = store.collection<{ id: string; body: string }>(pages, 't')
    assert.equal(await c.count(), 0, 'which starts the thread that checkpoints')
    let written = 0
    const write = async (): Promise<void> => {
      while (written < 1_000) await c.insert({ id: `${written++}`, body: 'x'.repeat(10_000) })
    }
    await Promise.all(Array.from({ length: 4 }, write))
    const { walBytes } = await store.health()
    assert.ok((walBytes as number) < 6 * 2 ** 20, `${walBytes} bytes for more than 10 MB`)
    assert.equal(await c.count(), written)
    await store.close()
    assert.deepEqual(await checkIntegrity(join(dataDir, 'store', 'gateway.db'), [pages]), [])
    await dispose()
  })

  test('whatever a number is, its column is what the document says', async () => {
    const { store, c, file, dispose } = await opened()
    const odd = [1e-300, 5e-324, -1e-300, -0, 1e-16, Number.EPSILON, 2 ** 31, 2 ** 53 + 2, 2 ** 63, 1e308, -(2 ** 53)]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noDefaultInfinity: true, noNaN: true }), { maxLength: 50 }), async (numbers) => {
        await c.deleteMany({})
        const all = [...odd, ...numbers]
        for (const [at, n] of all.entries()) await c.insert({ id: `${at}`, n })
        assert.deepEqual(await checkIntegrity(file, [notes]), [])
        assert.equal(await c.count({ n: { gte: 0, lte: 1e-17 } }), all.filter((n) => n >= 0 && n < Number.EPSILON).length)
        assert.equal(await c.count({ n: { lt: 0 } }), all.filter((n) => n < 0).length)
      }),
      { numRuns: 10 },
    )
    await store.close()
    await dispose()
  })

  test('a SQLite that can corrupt its log is too old', () => {
    for (const version of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) assert.equal(isRecent(version), true, version)
    for (const version of ['3.51.2', '3.50.9', '2.99.99']) assert.equal(isRecent(version), false, version)
  })

  test('is opened without a word of Node.js about experiments', async () => {
    const source = fileURLToPath(new URL('../src/driver.ts', import.meta.url))
    const open = `const { loadDriver } = await import(${JSON.stringify(source)}); (await loadDriver()).open(':memory:').close()`
    const { stderr } = await promisify(execFile)(process.execPath, [...fromSources, '--input-type=module', '-e', open], { env: {} })
    assert.equal(stderr, '')
  })

  test('a second process on the data folder is refused and told who has it', async () => {
    const folder = temporaryFolder()
    const child = await startWriter(folder.path)
    await assert.rejects(openSqlite({ dataDir: folder.path, clock: testClock(), log: silent }), (error: Error) => {
      assert.match(error.message, new RegExp(`in use by another gateway \\(process ${child.pid} on ${hostname()}, since \\d{4}-`))
      return true
    })
    await child.kill()
    folder.remove()
  })

  test('the same process is refused a second time too, until it closes', async () => {
    const one = await opened()
    await assert.rejects(one.reopen(), new RegExp(`process ${process.pid} `))
    await one.store.close()
    await (await one.reopen()).close()
    await one.dispose()
  })

  test('a killed process loses nothing it acknowledged, and does not bar the next', async () => {
    const folder = temporaryFolder()
    const child = await startWriter(folder.path)
    await child.acknowledged(200)
    await child.kill()
    assert.ok(statSync(join(folder.path, 'store', 'gateway.db-wal')).size > 0)
    const store = await openSqlite({ dataDir: folder.path, clock: testClock(), log: silent })
    // In the database now, which is synced; nothing is written after data that the disk may lack.
    assert.equal((await store.health()).walBytes, 0)
    await store.prepare([notes])
    const c = store.collection<Note>(notes, 't')
    assert.ok(child.ids.length >= 200)
    for (let i = 0; i < child.ids.length; i += 1000) {
      const ids = child.ids.slice(i, i + 1000)
      assert.deepEqual(
        (await c.getMany(ids)).map((note) => note.id),
        ids,
      )
    }
    await store.close()
    assert.deepEqual(await checkIntegrity(join(folder.path, 'store', 'gateway.db'), [notes]), [])
    folder.remove()
  })

  test('a database of a newer version, or of another program, is refused and left as it is', async () => {
    const one = await opened()
    await one.store.close()
    raw(one.file, (db) => db.exec('pragma user_version = 99'))
    await assert.rejects(one.reopen(), /written by a newer version of the gateway \(schema 99; this version knows 1\)/)
    raw(one.file, (db) => db.exec('pragma user_version = 1; pragma application_id = 5'))
    await assert.rejects(one.reopen(), /database of another program/)
    raw(one.file, (db) => assert.equal(db.get('pragma application_id')?.application_id, 5))
    await one.dispose()
  })

  test('a file that is damaged is refused by its path, with what to do, and nothing is left open', async () => {
    const one = await opened()
    await one.store.close()
    raw(one.file, (db) => db.exec('pragma wal_checkpoint(truncate)'))
    const lock = join(one.dataDir, 'store', 'lock')
    for (const path of [one.file, lock]) {
      writeFileSync(path, 'not a database at all, but long enough to be read as one'.repeat(100))
      await assert.rejects(one.reopen(), (error: Error) => {
        assert.equal(error.message, `${path} cannot be opened: file is not a database. \`gateway doctor\` says what to do.`)
        return true
      })
    }
    for (const path of [one.file, lock]) rmSync(path)
    await (await one.reopen({ newStore: true })).close()
    await one.dispose()
  })

  test('an index on a new field is filled from the documents that are there', async () => {
    const one = await opened()
    for (let n = 0; n < 20; n++) await one.c.insert({ id: `${n}`, n: n % 4, ...(n % 2 === 0 ? { body: `word${n % 3}` } : {}) })
    await one.store.close()
    const grown = { ...notes, indexes: [...notes.indexes, { keys: { body: 1, n: -1 }, present: 'body' }] } as CollectionRef
    assert.deepEqual(await checkIntegrity(one.file, [grown]), [], 'before the start that makes the index')
    const store = await one.reopen()
    const report = await store.prepare([grown])
    assert.deepEqual(report, { created: ['notes:index+body-n?body'], unused: [] })
    const c = store.collection<Note>(grown, 't')
    assert.equal(await c.count({ body: 'word1' }), 3)
    assert.deepEqual(await c.distinct('body'), ['word0', 'word1', 'word2'])
    await store.close()
    assert.deepEqual(await checkIntegrity(one.file, [grown]), [])
    await one.dispose()
  })

  test('a backup taken while others write is one moment’s whole state, and opens as a store', async () => {
    const one = await opened()
    const atomically = one.store.atomically('t')
    const pair = (n: number) =>
      atomically(async (tx) => {
        await one.c.in(tx).insert({ id: `a${n}`, n, body: 'left' })
        await one.c.in(tx).insert({ id: `b${n}`, n, body: 'right' })
      })
    for (let n = 0; n < 50; n++) await pair(n)
    const target = join(one.dataDir, 'backup.db')
    let running = true
    const writing = (async () => {
      for (let n = 50; running; n++) await pair(n)
    })()
    await one.store.backup(target)
    running = false
    await writing
    await assert.rejects(one.store.backup(target), /exists already/)
    assert.ok(!existsSync(`${target}.partial`))
    assert.deepEqual(await checkIntegrity(target, [notes]), [])

    const restored = temporaryFolder()
    mkdirSync(join(restored.path, 'store'))
    copyFileSync(target, join(restored.path, 'store', 'gateway.db'))
    const store = await openSqlite({ dataDir: restored.path, clock: testClock(), log: silent })
    assert.deepEqual((await store.prepare([notes])).created, [])
    const c = store.collection<Note>(notes, 't')
    const [left, right] = [await c.count({ id: { prefix: 'a' } }), await c.count({ id: { prefix: 'b' } })]
    assert.ok(left >= 50)
    assert.equal(left, right)
    assert.equal((await c.search({ text: 'right', limit: 1000 })).length, Math.min(right, 1000))
    await store.close()
    restored.remove()
    await one.dispose()
  })

  test('the integrity check names documents that their columns contradict', async () => {
    const one = await opened()
    await one.c.insert({ id: 'a', n: 1 })
    await one.c.insert({ id: 'b', n: 2 })
    await one.store.close()
    raw(one.file, (db) => db.exec(`update notes set _n = 7 where id = 'b'`))
    assert.deepEqual(await checkIntegrity(one.file, [notes]), ['notes "b": the column of n differs from the document'])
    await one.dispose()
  })

  test('a transaction that waits for something else is rolled back after its limit, and others go on', async () => {
    const one = await subject({ clock: testClock(), transactionLimitMs: 50 })
    await one.store.prepare([notes])
    const c = one.store.collection<Note>(notes, 't')
    const outcomes = await Promise.allSettled([
      one.store.atomically('t')(async (tx) => {
        await c.in(tx).insert({ id: 'a', n: 1 })
        // Not through the transaction: it waits for the writer, which waits for the transaction.
        await c.insert({ id: 'b', n: 1 })
      }),
      c.insert({ id: 'c', n: 1 }),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'fulfilled'],
    )
    assert.match(String((outcomes[0] as PromiseRejectedResult).reason), /longer than 50 ms and was rolled back/)
    assert.deepEqual(
      (await c.find({ where: { id: { ne: 'b' } } })).items.map((note) => note.id),
      ['c'],
    )
    await one.dispose()
  })

  test('one tenant’s search fetches no other tenant’s documents', async () => {
    const one = await opened()
    const others = one.store.collection<Note>(notes, 'other')
    await Promise.all(Array.from({ length: 300 }, (_, n) => others.insert({ id: `${n}`, n, body: 'common word' })))
    await one.c.insert({ id: 'mine', n: 1, body: 'common' })
    assert.deepEqual(
      (await one.c.search({ text: 'common' })).map((hit) => hit.item.id),
      ['mine'],
    )
    assert.deepEqual(await one.c.search({ text: 'word' }), [])
    await one.dispose()
  })
})
