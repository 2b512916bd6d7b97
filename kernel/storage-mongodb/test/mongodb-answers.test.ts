import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CollectionRef, defineCollection, isToolError, now, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { type ClientSession, type Db, type Document, MongoNetworkTimeoutError, MongoServerError } from 'mongodb'
import { closeClient } from '../src/close-client.ts'
import { MongoCollectionAdapter } from '../src/collection.ts'
import { storeError } from '../src/errors.ts'
import { prepareCollections } from '../src/indexes.ts'
import { layoutOf } from '../src/layout.ts'
import { connectionTo } from '../src/open.ts'
import type { Scope } from '../src/scope.ts'
import { checkServer } from '../src/server-needs.ts'
import { ServerTime } from '../src/server-time.ts'
import { MongoStore } from '../src/store.ts'

// Tests the adapter against invented server answers that no available server gives.

const logs = defineCollection('logs', {
  schema: Type.Object({
    id: Type.String(),
    file: Type.Optional(Type.String()),
    lane: Type.Union([Type.String(), Type.Null()]),
    at: Type.String(),
  }),
  key: 'id',
  indexes: [
    { keys: { file: 1 }, unique: true },
    { keys: { at: 1, lane: 1 }, unique: true },
    { keys: { at: 1 }, acrossTenants: true },
  ],
})
const shape = logs as unknown as CollectionRef

describe('indexes in MongoDB', () => {
  /** A database with these indexes; it records what is created and dropped. */
  function database(there: readonly Document[]) {
    const made: Document[] = []
    const dropped: string[] = []
    const collection = {
      indexes: async () => there,
      createIndexes: async (wanted: Document[]) => void made.push(...wanted),
      dropIndex: async (name: string) => void dropped.push(name),
    }
    const db = { listCollections: () => ({ toArray: async () => [{ name: 'logs' }] }), collection: () => collection }
    return { made, dropped, db: db as unknown as Db }
  }

  test('a unique one leaves out what lacks one of its keys, under a name that says so', async () => {
    const { db, made } = database([])
    await prepareCollections(db, [shape])
    const unique = made.filter(({ name }) => name.startsWith('logs:unique'))
    assert.deepEqual(
      unique.map(({ name, partialFilterExpression }) => [name, partialFilterExpression]),
      [
        ['logs:unique+file?file', { 'd.file': { $exists: true } }],
        ['logs:unique+at+lane?lane', { 'd.lane': { $exists: true } }],
      ],
    )
  })

  test('one that counted what is missing as one value goes', async () => {
    const { db, dropped, made } = database([{ name: 'logs:unique+file', key: { t: 1, 'd.file': 1 }, unique: true }])
    await prepareCollections(db, [shape])
    assert.deepEqual(dropped, ['logs:unique+file'])
    assert.ok(made.some(({ name }) => name === 'logs:unique+file?file'))
  })

  test('one that does the same under another name serves, and one of the same name that does not is made anew', async () => {
    const across = { key: { 'd.at': 1, t: 1 } }
    const { db, made, dropped } = database([
      { name: 'by-hand', ...across },
      { name: 'logs:index+at', key: { t: 1, 'd.lane': 1 } },
    ])
    const { report } = await prepareCollections(db, [shape])
    assert.ok(!made.some(({ key }) => JSON.stringify(key) === JSON.stringify(across.key)))
    assert.deepEqual(dropped, ['logs:index+at'])
    assert.ok(made.some(({ name }) => name === 'logs:index+at'))
    assert.deepEqual(report.unused, [])
  })
})

test('a server that lacks something is refused at the start with the names of all that is missing, and keeps nothing of the trial', async () => {
  const collections = new Set<string>()
  const docs = {
    async createIndex(_keys: object, options?: { partialFilterExpression?: object }) {
      if (options?.partialFilterExpression) throw new MongoServerError({ message: 'partial indexes are not supported', code: 115 })
    },
    findOneAndUpdate: async () => ({ t: '', at: '2026-05-05T12:00:00.000Z' }),
    insertOne: async () => ({}),
    findOne: async () => ({ t: 'undone' }),
  }
  const db = {
    command: async () => ({ setName: 'rs0' }),
    createCollection: async (name: string) => void collections.add(name),
    dropCollection: async (name: string) => void collections.delete(name),
    collection: () => docs,
  }
  const session = { startTransaction() {}, async abortTransaction() {} }
  const client = { withSession: (work: (session: unknown) => unknown) => work(session) }
  await assert.rejects(
    checkServer(client as never, db as never),
    /lacks.*unique indexes of a part of the documents \(partial indexes are not supported\); transactions \(an aborted one left/,
  )
  assert.equal(collections.size, 0)
})

test('a server without retryable writes is refused with the parameter of the address that helps, and not with something else it lacks', async () => {
  const docs = {
    createIndex: async () => {},
    async findOneAndUpdate() {
      throw new MongoServerError({ message: 'Retryable writes are not supported', code: 301 })
    },
  }
  let dropped = 0
  const db = {
    command: async () => ({ setName: 'rs0' }),
    createCollection: async () => {},
    dropCollection: async () => void dropped++,
    collection: () => docs,
  }
  await assert.rejects(
    checkServer({} as never, db as never),
    /^Error: it does not support retryable writes\. Add retryWrites=false to .*MONGODB_URL/,
  )
  assert.equal(dropped, 1)
})

test('retries and times in the address take precedence, in any case of their names; what durability depends on does not', async () => {
  const optionsOf = (query: string) => connectionTo(`mongodb://127.0.0.1:1/gateway${query}`, 7_000).options
  const given = optionsOf('?retrywrites=false&serverSelectionTimeoutMS=300&w=1&journal=false&readConcernLevel=local')
  assert.deepEqual([given.retryWrites, given.retryReads, given.serverSelectionTimeoutMS], [false, true, 300])
  for (const { writeConcern, readConcern } of [given, optionsOf('?j=false&w=0'), optionsOf('')])
    assert.deepEqual([writeConcern?.w, writeConcern?.journal, readConcern?.level], ['majority', true, 'majority'])
  const { retryWrites, serverSelectionTimeoutMS } = optionsOf('')
  assert.deepEqual([retryWrites, serverSelectionTimeoutMS], [true, 7_000])
})

describe('the server’s clock in MongoDB', () => {
  test('is counted on by a clock that nobody sets', async () => {
    const clock = testClock()
    let monotonic = 1_000
    const localTime = new Date('2026-05-05T12:00:00.000Z')
    const db = { command: async () => ({ localTime }) } as unknown as Db
    const time = new ServerTime(db, clock, () => monotonic)
    await time.start()
    time.stop()
    clock.advance(90)
    assert.equal(time.now(), localTime.getTime())
    monotonic += 5_000
    assert.equal(time.now(), localTime.getTime() + 5_000)
  })

  /** A clock of a server whose answers take these milliseconds each, and which reads its clock at the end of them. */
  function measured(t: TestContext, durations: number[]) {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const start = Date.parse('2026-05-05T12:00:00.000Z')
    const server = { monotonic: 0, step: 0 }
    const now = (): number => start + server.step + server.monotonic
    const command = async () => {
      server.monotonic += durations.shift() ?? 2
      return { localTime: new Date(now()) }
    }
    const time = new ServerTime({ command } as unknown as Db, testClock(), () => server.monotonic)
    t.after(() => time.stop())
    const nextMeasurement = async (): Promise<void> => {
      server.monotonic += 30_000
      t.mock.timers.tick(30_000)
      await nextTurn()
    }
    return { time, server, nextMeasurement, difference: () => Math.abs(time.now() - now()) }
  }

  test('is not moved by a slow answer', async (t) => {
    const { time, nextMeasurement, difference } = measured(t, [2, 8_000, 3])
    await time.start()
    for (let n = 0; n < 3; n++, await nextMeasurement()) assert.ok(difference() <= 2, String(difference()))
  })

  test('is asked for again at the start when the first answer is slow', async (t) => {
    const { time, difference } = measured(t, [8_000, 2])
    await time.start()
    assert.ok(difference() <= 2, String(difference()))
  })

  test('is followed when it is set, also by answers that are slower than the fastest', async (t) => {
    const { time, server, nextMeasurement, difference } = measured(t, [2, 5, 5])
    await time.start()
    for (const step of [-60_000, 60_000]) {
      server.step = step
      await nextMeasurement()
      assert.ok(difference() <= 5, String(difference()))
    }
  })

  /** One document at revision 3, on a server whose clock says that nothing is due: guarded writes match nothing. */
  function notDue() {
    const asked: Document[] = []
    const stored = { _id: 'x', t: 't', r: 3, d: { id: 'a', lane: null, at: '2020-01-01T00:00:00.000Z' } }
    const noting =
      <T>(answer: T) =>
      async (filter: Document): Promise<T> => {
        asked.push(filter)
        return answer
      }
    const docs = {
      findOne: async () => stored,
      find: () => ({ sort: () => ({ limit: () => ({ toArray: async () => [stored] }) }) }),
      findOneAndUpdate: noting(null),
      deleteOne: noting({ deletedCount: 0 }),
      deleteMany: noting({ deletedCount: 0 }),
    }
    const scope: Scope = {
      session: undefined,
      serverTimes: true,
      answerLimitMs: 1_000,
      now: () => Date.parse('2026-05-05T12:00:00.000Z'),
      run: (work) => work(),
      whole: (work) => work(scope),
    }
    return { asked, c: new MongoCollectionAdapter(layoutOf(shape), 't', docs as never, scope, () => scope) }
  }
  const due = { at: { lte: now() } }

  test('says of a change, a claim and a delete that it is too soon: one attempt, and nothing is found', async () => {
    const { asked, c } = notDue()
    assert.equal(await c.updateOne('a', { set: { lane: 'x' } }, due), undefined)
    assert.equal(await c.claim({ where: due, sort: { at: 1 }, update: { set: { lane: 'x' } } }), undefined)
    assert.equal(await c.deleteOne('a', due), undefined)
    assert.equal(asked.length, 3)
  })

  test('decides in every delete what is due', async () => {
    const { asked, c } = notDue()
    await c.deleteOne('a', due)
    await c.deleteMany(due)
    for (const { $expr } of asked) assert.match(JSON.stringify($expr), /"\$lte":\["\$d\.at",\{"\$dateToString":\{"date":"\$\$NOW"/)
  })
})

describe('a MongoDB that says try again', () => {
  test('is UNAVAILABLE, whatever its code; a refusal of what was asked is not', () => {
    for (const code of [10107, 189, 11600, 91, 50, 64, 262, 112]) {
      const told = storeError(new MongoServerError({ message: 'at db-1.internal:27017', code }))
      assert.ok(isToolError(told) && told.code === 'UNAVAILABLE', String(code))
      assert.doesNotMatch(told.message, /internal/)
    }
    const refused = new MongoServerError({ message: 'bad', code: 2 })
    assert.equal(storeError(refused), refused)
  })

  test('of a transaction is not asked again after its caller’s time, and not called silent', async () => {
    const warned: string[] = []
    let attempts = 0
    const session = {
      async withTransaction(once: () => Promise<unknown>): Promise<unknown> {
        for (;;) {
          try {
            return await once()
          } catch (error) {
            if (!(error as { transient?: boolean }).transient) throw error
          }
        }
      },
    }
    const store = new MongoStore({
      client: { withSession: (work: (session: ClientSession) => unknown) => work(session as never), close: async () => {} } as never,
      db: {} as Db,
      version: '8',
      clock: testClock(),
      log: { warn: (message) => void warned.push(message) },
      serverTimes: false,
      keepExpired: true,
      answerLimitMs: 50,
      patiently: (work) => work({} as Db),
    })
    const busy = store.atomically('t')(async () => {
      attempts++
      await new Promise((done) => setTimeout(done, 10))
      throw Object.assign(new Error('conflict'), { transient: true })
    })
    await assert.rejects(busy, (error) => isToolError(error) && error.code === 'UNAVAILABLE' && /busy/.test(error.message))
    const after = attempts
    await new Promise((done) => setTimeout(done, 60))
    assert.equal(attempts, after)
    assert.deepEqual(warned, [])
    await store.close()
  })
})

describe('a start in MongoDB', () => {
  const text = { id: Type.String(), title: Type.String(), until: Type.String() }
  const indexes = [{ keys: { until: 1 }, expireAfterSeconds: 1 }] as const
  const found = defineCollection('found', { schema: Type.Object(text), key: 'id', text: ['title'], indexes: [...indexes] })

  /** A store with one document, expired and not split yet. Its removal fails; `splits` is true where splitting it has an effect. */
  function store(splits: boolean) {
    const stored: Document = { _id: 'x', t: 't', r: 1, d: { id: 'a', title: 'two words', until: '2020-01-01T00:00:00.000Z' } }
    const warned: string[] = []
    const announced: Document[] = []
    const cursor = (documents: readonly Document[]) => {
      const self = { limit: () => self, toArray: async () => documents }
      return self
    }
    const docs = {
      indexes: async () => [],
      createIndexes: async () => [],
      find: (filter: Document) => cursor(filter.s && stored.s === filter.s.$ne ? [] : [stored]),
      async deleteMany() {
        throw new MongoNetworkTimeoutError('connection timed out')
      },
      async bulkWrite([{ updateOne }]: [{ updateOne: { update: { $set: Document } } }]) {
        await nextTurn()
        if (splits) Object.assign(stored, updateOne.update.$set)
      },
    }
    const marks = {
      find: () => cursor(announced),
      async bulkWrite(writes: { updateOne: { filter: Document; update: { $setOnInsert: Document } } }[]) {
        for (const { updateOne } of writes) announced.push({ ...updateOne.filter, ...updateOne.update.$setOnInsert, seenAt: 0 })
      },
    }
    const db = {
      listCollections: () => ({ toArray: async () => [{ name: 'found' }] }),
      collection: (name: string) => (name === 'found' ? docs : marks),
    } as unknown as Db
    const opened = new MongoStore({
      client: { close: async () => {} } as never,
      db,
      version: '8',
      clock: testClock(),
      log: { warn: (message) => void warned.push(message) },
      serverTimes: false,
      keepExpired: false,
      answerLimitMs: 1_000,
      patiently: (work) => work(db),
    })
    return { stored, warned, opened }
  }

  test('succeeds, with its texts split, when expired documents cannot be removed in time', async () => {
    const { stored, warned, opened } = store(true)
    await opened.prepare([found as unknown as CollectionRef])
    assert.equal(stored.l, 3)
    while (warned.length === 0) await nextTurn()
    assert.deepEqual(warned, ['expired documents could not be removed'])
    await opened.close()
  })

  test('ends when texts take longer to be split than it waits', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { opened } = store(false)
    let isStarted = false
    const started = opened.prepare([found as unknown as CollectionRef]).then(() => (isStarted = true))
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    assert.equal(isStarted, false)
    t.mock.timers.tick(30_000)
    await started
    await opened.close()
  })
})

test('a stop whose driver waits for a lost session closes the connections without it; one that ends by itself does not', async () => {
  let closed = 0
  const topology = { close: () => void closed++ }
  await closeClient({ close: () => new Promise(() => {}), topology } as never, 5)
  assert.equal(closed, 1)
  await closeClient({ close: async () => {}, topology } as never, 60_000)
  assert.equal(closed, 1)
})

test('many documents of a transaction are changed by one write a page', async () => {
  const plain = defineCollection('plain', { schema: Type.Object({ id: Type.String(), n: Type.Number() }), key: 'id' })
  const stored = Array.from({ length: 1_500 }, (_, n) => ({ _id: n, t: 't', r: 1, d: { id: `d${n}`, n } }))
  const writes: number[] = []
  const docs = {
    find: (filter: { _id?: { $in: number[] } }) => ({
      toArray: async () => (filter._id ? filter._id.$in.map((id) => stored[id]) : stored),
    }),
    async bulkWrite(operations: { replaceOne: { filter: Document; replacement: Document } }[]) {
      writes.push(operations.length)
      assert.deepEqual(operations[0]?.replaceOne.filter.r, 1)
      assert.equal(operations[0]?.replaceOne.replacement.r, 2)
      return { matchedCount: operations.length }
    },
  }
  const scope: Scope = {
    session: {} as ClientSession,
    serverTimes: false,
    answerLimitMs: 1_000,
    now: () => 0,
    run: (work) => work(),
    whole: (work) => work(scope),
  }
  const layout = layoutOf(plain as unknown as CollectionRef)
  const c = new MongoCollectionAdapter(layout, 't', docs as never, scope, () => scope)
  assert.equal(await c.updateMany({}, { inc: { n: 1 } }), 1_500)
  assert.deepEqual(writes, [1_000, 500])
})

/** A document on a server that answers the first write of it with a duplicate of the index `logs:id`. */
function duplicateOnce(inTransaction: boolean) {
  let refusals = 1
  const stored = { _id: 'x', t: 't', r: 3, d: { id: 'a', lane: null, at: '2020-01-01T00:00:00.000Z' } }
  const docs = {
    findOne: async ({ _id }: { _id?: unknown }) => (_id !== undefined || refusals >= 0 ? stored : null),
    find: () => ({ sort: () => ({ limit: () => ({ toArray: async () => [stored] }) }) }),
    async replaceOne() {
      if (refusals-- > 0) throw new MongoServerError({ message: 'E11000 index: logs:id', code: 11_000, keyPattern: { t: 1, 'd.id': 1 } })
      return { matchedCount: 1 }
    },
  }
  const scope: Scope = {
    session: inTransaction ? ({} as ClientSession) : undefined,
    serverTimes: false,
    answerLimitMs: 1_000,
    now: () => 0,
    run: (work) => work(),
    whole: (work) => work(scope),
  }
  return new MongoCollectionAdapter(layoutOf(shape), 't', docs as never, scope, () => scope)
}

test('a duplicate of values that a change keeps is a conflict: the change, or its transaction, runs again', async () => {
  assert.deepEqual(await duplicateOnce(false).updateOne('a', { unset: ['file'] }), { id: 'a', lane: null, at: '2020-01-01T00:00:00.000Z' })
  await assert.rejects(
    duplicateOnce(true).updateOne('a', { unset: ['file'] }),
    (error: MongoServerError) => error.code === 11_000 && error.hasErrorLabel('TransientTransactionError'),
  )
  await assert.rejects(duplicateOnce(false).updateOne('a', { set: { file: 'taken' } }), { code: 'DUPLICATE_KEY' })
})
