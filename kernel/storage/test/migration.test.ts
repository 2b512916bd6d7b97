import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../core/src/clock.ts'
import { mongoRows } from '../../storage-mongodb/src/rows.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { openSqlite, type SqliteStore } from '../../storage-sqlite/src/index.ts'
import { migrationMarks, refuseUnfinishedCopy } from '../src/migration/mark.ts'
import { copy, finish } from '../src/migration/migrate.ts'
import { firstRow } from '../src/migration/rows.ts'
import { collections, migrating, seats, things } from './migration-fixture.ts'
import { silent } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Thing = { id: string; name?: string | null; n?: number; until?: string; data?: object }
type Seat = { id: string; holder: string }

async function installation(t: TestContext): Promise<{ dataDir: string; open(): Promise<SqliteStore> }> {
  const folder = temporaryFolder()
  const opened: SqliteStore[] = []
  t.after(async () => {
    for (const store of opened) await store.close()
    folder.remove()
  })
  return {
    dataDir: folder.path,
    async open() {
      const store = await openSqlite({ dataDir: folder.path, clock: systemClock, log: silent, keepExpired: true })
      opened.push(store)
      await store.prepare(collections)
      return store
    },
  }
}

async function fill(store: SqliteStore, count: number): Promise<void> {
  const awkward: Thing[] = [
    { id: 'é😀', name: null, n: -0.5, data: { b: null, a: [1, { deep: 'ﬁ' }] } },
    { id: '\u{10ffff}', n: 2 ** 53, name: '$set' },
    { id: 'past', until: '2020-01-01T00:00:00.000Z' },
  ]
  for (const tenant of ['local', 't-ü']) {
    const rows = Array.from({ length: count / 2 }, (_, i): Thing => ({ id: `thing-${i}`, name: `nr ${i}`, n: i % 7 }))
    await Promise.all([...awkward, ...rows].map((doc) => store.collection<Thing>(things, tenant).insert(doc)))
  }
  await store.collection<Seat>(seats, 'local').insert({ id: '1', holder: 'a' })
  await store.collection<Seat>(seats, 'local').insert({ id: '2', holder: 'b' })
}

describe('a copy', () => {
  test('has all tenants and documents, what has expired too; the second pass finds what changed, and two that changed places', async (t) => {
    const [from, to] = [await installation(t), await installation(t)]
    const store = await from.open()
    await fill(store, 1200)
    const env = { GATEWAY_DATA_DIR: from.dataDir }
    const target = `sqlite:${to.dataDir}`
    const first = await migrating(env, target, false, copy)
    assert.deepEqual(first, { passes: 2, lastChanged: 0 })
    const seat = store.collection<Seat>(seats, 'local')
    for (const [id, holder] of [
      ['1', 'nobody'],
      ['2', 'a'],
      ['1', 'b'],
    ] as const)
      await seat.updateOne(id, { set: { holder } })
    const thing = store.collection<Thing>(things, 't-ü')
    await thing.deleteOne('thing-3')
    await thing.updateOne('thing-4', { set: { name: 'changed' } })
    await thing.insert({ id: 'new' })
    const changed: number[] = []
    await migrating(env, target, false, (options) => copy({ ...options, progress: (one) => void changed.push(one.changed) }))
    assert.deepEqual(changed, [3, 2, 0, 0])
    await store.close()
    const compared = await migrating(env, target, true, finish)
    assert.deepEqual(
      compared.map(({ collection, documents, equal }) => [collection, documents, equal]),
      [
        ['things', 1206, true],
        ['seats', 2, true],
      ],
    )
    const copied = await to.open()
    assert.deepEqual(await copied.tenants(), ['local', 't-ü'])
    assert.equal((await copied.collection<Thing>(things, 't-ü').search({ text: 'changed' }))[0]?.item.id, 'thing-4')
  })

  test('that is interrupted again and again goes on in its pass: it reads no more than a checkpoint twice', async (t) => {
    const [from, to] = [await installation(t), temporaryFolder()]
    t.after(() => to.remove())
    const store = await from.open()
    await fill(store, 1200)
    let read = 0
    const attempt = () =>
      migrating({ GATEWAY_DATA_DIR: from.dataDir }, `sqlite:${to.path}`, false, (options) => {
        const { source, writer } = options.sides
        let writes = 0
        const dying: typeof writer = Object.assign(Object.create(writer), {
          collection: writer.collection.bind(writer),
          async fill(...asked: Parameters<typeof writer.fill>) {
            if (asked[1].length > 0 && ++writes > 2) throw new Error('killed')
            return writer.fill(...asked)
          },
        })
        const pages: typeof source.pages = async function* (...asked) {
          for await (const page of source.pages(...asked)) {
            for (const one of page) {
              read++
              yield [one]
            }
          }
        }
        return copy({ ...options, sides: { ...options.sides, source: { ...source, pages }, writer: dying } })
      })
    let kills = 0
    for (;;) {
      const outcome = await attempt().catch((error: Error) => error)
      if (!(outcome instanceof Error)) {
        assert.deepEqual(outcome, { passes: 2, lastChanged: 0 }, 'the last process knows what those before it have changed')
        break
      }
      assert.equal(outcome.message, 'killed')
      kills++
    }
    assert.equal(kills, 3)
    const documents = 1208
    assert.ok(read <= 2 * documents + kills * 202, `two passes and what each interruption repeats; read ${read}`)
  })

  test('is refused into the original, into a store with other data, and into the unfinished copy of another', async (t) => {
    const [one, other, third] = [await installation(t), await installation(t), await installation(t)]
    for (const each of [one, other]) {
      const store = await each.open()
      await fill(store, 2)
      await store.close()
    }
    const into = (from: string, to: string) => migrating({ GATEWAY_DATA_DIR: from }, `sqlite:${to}`, false, copy)
    await assert.rejects(into(one.dataDir, one.dataDir), /the same store/)
    await assert.rejects(into(one.dataDir, other.dataDir), /has data already \(seats, things\)/)
    await into(one.dataDir, third.dataDir)
    await assert.rejects(into(other.dataDir, third.dataDir), /unfinished copy of another store, sqlite:/)
    await migrating({ GATEWAY_DATA_DIR: one.dataDir }, `sqlite:${third.dataDir}`, true, finish)
    await assert.rejects(
      into(one.dataDir, third.dataDir),
      /has data already.* it is finished: start the gateway on it/,
      'it is never written again',
    )
  })

  test('is not finished while the original is in use, nor when the two differ', async (t) => {
    const [from, to] = [await installation(t), temporaryFolder()]
    t.after(() => to.remove())
    const store = await from.open()
    await fill(store, 2)
    const env = { GATEWAY_DATA_DIR: from.dataDir }
    const target = `sqlite:${to.path}`
    await assert.rejects(migrating(env, target, true, finish), /in use by another gateway \(process/)
    assert.ok(!existsSync(join(to.path, 'store')), 'and nothing was written')
    await migrating(env, target, false, copy)
    await store.close()
    const compared = await migrating(env, target, true, (options) => {
      // A writer that ignores the rules, between the last pass and the comparison.
      let reads = 0
      const { source } = options.sides
      const pages: typeof source.pages = async function* (...asked) {
        const skipped = reads++ < 2 ? 0 : 1
        for await (const page of source.pages(...asked)) yield page.slice(skipped)
      }
      return finish({ ...options, sides: { ...options.sides, source: { ...source, pages } } })
    })
    assert.deepEqual(
      compared.map(({ equal, example }) => [equal, example]),
      [
        [false, 'local/past'],
        [false, 'local/1'],
      ],
    )
    const copied = await openSqlite({ dataDir: to.path, clock: systemClock, log: silent })
    t.after(() => copied.close())
    await copied.prepare([...collections, migrationMarks])
    await assert.rejects(refuseUnfinishedCopy(copied), /unfinished copy of sqlite:.*gateway migrate --finish/)
  })
})

const lacking = lacksServer()
if (lacking !== undefined) test(`to MongoDB and back (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  describe('to MongoDB and back', () => {
    test('killed in the middle, with writes going on all the while, the copy goes on and ends equal; so does the way back', {
      timeout: 240_000,
    }, async (t) => {
      const [from, back] = [await installation(t), await installation(t)]
      const address = new URL((await server).url)
      address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
      const url = address.href
      const store = await from.open()
      await fill(store, 800)
      const busy = keepWriting(store)

      const program = [join(import.meta.dirname, 'migration-process.ts'), JSON.stringify({ GATEWAY_DATA_DIR: from.dataDir }), url]
      const child = spawn(process.execPath, [...process.execArgv, ...program], { stdio: 'inherit' })
      const reached = await checkpoint(url, t.signal)
      child.kill('SIGKILL')
      await once(child, 'exit')

      const read: number[] = []
      const env = { GATEWAY_DATA_DIR: from.dataDir }
      const target = url
      await migrating(env, target, false, (options) => copy({ ...options, progress: ({ documents }) => void read.push(documents) }))
      assert.ok(reached, 'it was killed behind a checkpoint')
      assert.ok((read[0] as number) < 750, `it went on from its checkpoint, reading ${read[0]}`)
      const written = await busy.stop()
      assert.ok(written > 0)
      await store.close()
      const there = await migrating(env, target, true, finish)
      assert.ok(
        there.every(({ equal }) => equal),
        JSON.stringify(there),
      )

      const home = `sqlite:${back.dataDir}`
      await migrating({ ...env, MONGODB_URL: url }, home, false, copy)
      const returned = await migrating({ ...env, MONGODB_URL: url }, home, true, finish)
      assert.deepEqual(returned, there, 'the same digests as on the way there')
    })
  })
}

/** Progress of the copy, once there is any. */
async function checkpoint(url: string, signal: AbortSignal): Promise<unknown> {
  const rows = await mongoRows(url)
  try {
    for (;;) {
      const mark = await firstRow(rows, migrationMarks)
      if (mark?.doc.reached) return mark.doc.reached
      await sleep(20, undefined, { signal })
    }
  } finally {
    await rows.close()
  }
}

/** A service that inserts, changes and deletes all over the store. */
function keepWriting(store: SqliteStore): { stop(): Promise<number> } {
  let written = 0
  let stopped = false
  const work = (async () => {
    const thing = store.collection<Thing>(things, 'local')
    for (; !stopped; written++) {
      await thing.insert({ id: `late-${written}`, n: written })
      await thing.updateOne(`thing-${(written * 37) % 400}`, { inc: { n: 1 } })
      if (written % 3 === 0) await thing.deleteOne(`late-${written - 6}`)
      await sleep(60)
    }
  })()
  return {
    async stop() {
      stopped = true
      await work
      return written
    },
  }
}
