import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Collection, type CollectionRef, DuplicateKey, defineCollection, isToolError, now, Type } from '@gateway/sdk'
import { storageSuite, testClock } from '@gateway/testing'
import { type FindOptions, MongoClient, type Collection as MongoCollection } from 'mongodb'
import { silent } from '../../storage/test/subject.ts'
import { MongoCollectionAdapter } from '../src/collection.ts'
import { openMongo } from '../src/index.ts'
import { layoutOf, type Stored } from '../src/layout.ts'
import type { Scope } from '../src/scope.ts'
import { lacksProgram, lacksServer, mongoServer, startServer } from './mongodb-server.ts'
import { mongoSubject } from './mongodb-subject.ts'

const lacking = lacksServer()
if (lacking !== undefined) test(`the store in MongoDB (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  storageSuite('the store in MongoDB', async ({ clock }) => mongoSubject((await server).url, { clock }), { effort: 0.02 })
  claimsTogether(async () => (await server).url)
}

interface Job {
  readonly id: string
  readonly state: string
  readonly by?: string
  readonly token?: string
  readonly takenAt?: string
}

/** Claims of many callers of one process are one write; the server's clock sets their times. */
function claimsTogether(urlOf: () => Promise<string>): void {
  const jobs = defineCollection('jobs', {
    schema: Type.Object({
      id: Type.String(),
      state: Type.String(),
      by: Type.Optional(Type.String()),
      token: Type.Optional(Type.String()),
      takenAt: Type.Optional(Type.String()),
    }),
    key: 'id',
    indexes: [{ keys: { state: 1 } }, { keys: { token: 1 }, unique: true }],
  })

  async function queue(count: number) {
    const subject = await mongoSubject(await urlOf(), { clock: testClock(), serverTimes: true })
    const other = await subject.reopen()
    for (const store of [subject.store, other]) await store.prepare([jobs])
    const [mine, theirs] = [subject.store, other].map((store) => store.collection<Job>(jobs, 'local')) as [Collection<Job>, Collection<Job>]
    await mine.insertMany(Array.from({ length: count }, (_, n) => ({ id: `job-${String(n).padStart(3, '0')}`, state: 'open' })))
    return { mine, theirs, url: subject.url, dispose: () => subject.dispose() }
  }
  const claim = (from: Collection<Job>, by: string, token = by) =>
    from.claim({ where: { state: 'open' }, sort: { id: 1 }, update: { set: { state: 'taken', by, token, takenAt: now() } } })

  test('claims of the same moment in two processes get a document each, with the time of the server, until none is left', async (t) => {
    const { mine, theirs, dispose } = await queue(50)
    t.after(dispose)
    const asked = Array.from({ length: 60 }, (_, n) => claim(n % 2 === 0 ? mine : theirs, `worker-${n}`))
    const won = (await Promise.all(asked)).flatMap((job, n) => (job ? [{ job, by: `worker-${n}` }] : []))
    assert.deepEqual([won.length, new Set(won.map(({ job }) => job.id)).size], [50, 50])
    for (const { job, by } of won) {
      assert.deepEqual(await theirs.get(job.id), job)
      assert.deepEqual([job.by, job.state, Math.abs(Date.now() - Date.parse(job.takenAt as string)) < 600_000], [by, 'taken', true])
    }
    const [first] = won
    const changed = await mine.updateOne(first?.job.id as string, { set: { state: 'done' } })
    assert.deepEqual(changed, { ...first?.job, state: 'done' })
  })

  for (const then of ['changes', 'releases and takes again'] as const)
    test(`a document that another process ${then} before a claim is read back belongs to one of them, as it was taken`, async (t) => {
      const { mine, theirs, url, dispose } = await queue(3)
      const client = await MongoClient.connect(url)
      t.after(async () => {
        await client.close()
        await dispose()
      })
      const docs = client.db(new URL(url).pathname.slice(1)).collection<Stored>(jobs.id)
      let again: Job | undefined
      const between = async (): Promise<void> => {
        if (then === 'changes') await theirs.updateOne('job-001', { set: { by: 'somebody' } }, { state: 'taken' })
        else {
          await theirs.updateOne('job-001', { set: { state: 'open' } })
          again = await claim(theirs, 'other', 'other')
        }
      }
      // The first claimer does not wait for others.
      const claimers = changedBeforeReadBack(jobs as unknown as CollectionRef, docs, between)
      const won = await Promise.all(['alone', 'a', 'b'].map((by) => claim(claimers, by)))
      const { items } = await mine.find({ where: { state: 'taken' }, sort: { id: 1 } })
      const owners = [...won, again].flatMap((job) => (job ? [[job.id, job.token, job.by, job.takenAt]] : []))
      const changed = (job: Job): string | undefined => (job.by === 'somebody' ? job.token : job.by)
      assert.deepEqual(
        owners.sort(),
        items.map((job) => [job.id, job.token, changed(job), job.takenAt]),
      )
      assert.equal(items.length, 3)
    })

  test('of claims of the same moment, one that a unique index refuses fails alone', async (t) => {
    const { mine, dispose } = await queue(6)
    t.after(dispose)
    await claim(mine, 'first', 'used')
    const tokens = ['a', 'b', 'used', 'c', 'd']
    const outcomes = await Promise.allSettled(tokens.map((token) => claim(mine, 'many', token)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    const refused = outcomes[2] as PromiseRejectedResult
    assert.ok(isToolError(refused.reason) && refused.reason.code === DuplicateKey.code)
    assert.equal(await mine.count({ state: 'open' }), 1)
  })
}

/** An adapter whose first read of documents by their `_id` finds that another process was there. */
function changedBeforeReadBack(ref: CollectionRef, docs: MongoCollection<Stored>, between: () => Promise<void>): Collection<Job> {
  let first = true
  const find: typeof docs.find = (filter: object = {}, options?: FindOptions) => {
    const cursor = docs.find(filter, options)
    if (!('_id' in filter) || !first) return cursor
    first = false
    return { toArray: async () => between().then(() => cursor.toArray()) } as never
  }
  const scope: Scope = {
    session: undefined,
    serverTimes: true,
    answerLimitMs: 60_000,
    now: () => Date.now(),
    run: (work) => work(),
    whole: (work) => work(scope),
  }
  const held = new Proxy(docs, { get: (target, name) => (name === 'find' ? find : Reflect.get(target, name).bind(target)) })
  return new MongoCollectionAdapter(layoutOf(ref), 'local', held, scope, () => scope) as unknown as Collection<Job>
}

const lackingOwn = lacksProgram()
test(`a server without transactions is refused, and told why and what to do${lackingOwn === undefined ? '' : ` (${lackingOwn})`}`, {
  skip: lackingOwn !== undefined,
}, async (t) => {
  const { url, stop } = await startServer({ standalone: true })
  t.after(stop)
  await assert.rejects(openMongo({ url, clock: testClock(), log: silent }), /runs alone, without transactions.*replica set/s)
})

describe('an address that leads nowhere', () => {
  test('an unreachable server is named, without the password', async () => {
    const url = 'mongodb://someone:secret@127.0.0.1:1/gateway?serverSelectionTimeoutMS=300'
    await assert.rejects(openMongo({ url, clock: testClock(), log: silent }), (error: Error) => {
      assert.match(error.message, /127\.0\.0\.1:1.*MONGODB_URL.*cannot be reached/s)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })

  test('what is no address is refused by its setting’s name', async () => {
    await assert.rejects(
      openMongo({ url: 'http://example.com', clock: testClock(), log: silent }),
      /MONGODB_URL must be an address of MongoDB/,
    )
  })
})
