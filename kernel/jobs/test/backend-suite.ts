import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Collection, CollectionRef } from '@gateway/sdk'
import { type TestClock, testClock } from '@gateway/testing'
import type { JobParameters } from 'agenda'
import type { Store } from '../../storage/src/port.ts'
import { PortBackend } from '../src/backend.ts'
import { jobRecords } from '../src/job-record.ts'
import { LockLost, type PortJobRepository } from '../src/repository.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIFETIME = 10 * MINUTE

interface Bench {
  readonly store: Store
  readonly clock: TestClock
  /** Two nodes. Their clock is the real one and the store's is in another year, so nothing may compare the two. */
  readonly one: PortJobRepository
  readonly two: PortJobRepository
}

/** Distances are accurate to the time of a request on a slow machine. */
function near(actual: Date | null | undefined, expected: number): void {
  assert.ok(actual instanceof Date, `a time, not ${String(actual)}`)
  assert.ok(Math.abs(actual.getTime() - expected) < MINUTE / 2, `${actual.toISOString()} is not near ${new Date(expected).toISOString()}`)
}

const job = (name: string, more: Partial<JobParameters> = {}): JobParameters =>
  ({ name, type: 'normal', priority: 0, nextRunAt: new Date(), data: {}, ...more }) as JobParameters
const ids = (jobs: readonly JobParameters[]): readonly string[] => jobs.map(({ _id }) => String(_id))
const names = (jobs: readonly JobParameters[]): readonly string[] => jobs.map(({ name }) => name)

function next(repository: PortJobRepository, name: string, horizonMs = 0): Promise<JobParameters | undefined> {
  const at = Date.now()
  return repository.getNextJobToRun(name, new Date(at + horizonMs), new Date(at - LIFETIME), undefined, undefined)
}

async function locked(repository: PortJobRepository, name: string): Promise<JobParameters> {
  const found = await next(repository, name)
  assert.ok(found, `${name} was not locked`)
  return found
}

/** Requirements of agenda on a backend, and additions of the gateway: fenced state, the store's clock, one query a poll. */
export function backendSuite(
  title: string,
  open: (options: { clock: TestClock }) => Promise<{ readonly store: Store; dispose(): Promise<void> }>,
  { exceptions = {} }: { exceptions?: Readonly<Record<string, string>> } = {},
): void {
  function promise(name: string, check: (bench: Bench) => Promise<void>): void {
    it(name, { skip: exceptions[name] ?? false }, async () => {
      const clock = testClock()
      const { store, dispose } = await open({ clock })
      try {
        await store.prepare([jobRecords])
        await check({ store, clock, one: new PortBackend(store).repository, two: new PortBackend(store).repository })
      } finally {
        await dispose()
      }
    })
  }

  describe(`${title}: saving jobs`, () => {
    promise('a job gets an id and comes back as it was saved', async ({ one, two }) => {
      const nextRunAt = new Date(Date.now() + HOUR)
      const startDate = new Date(Date.now() - HOUR)
      const given = { data: { to: ['a', 1] }, priority: 7, repeatInterval: '1 hour', skipDays: [0, 6], disabled: true }
      const { _id } = await one.saveJob(job('report', { ...given, nextRunAt, startDate }), { lastModifiedBy: 'node-1' })
      const found = await two.getJobById(String(_id))
      assert.ok(found)
      const { nextRunAt: foundNext, startDate: foundStart, ...rest } = found
      assert.deepEqual(rest, { _id, name: 'report', type: 'normal', lastModifiedBy: 'node-1', ...given })
      near(foundNext, nextRunAt.getTime())
      near(foundStart, startDate.getTime())
    })

    promise('two jobs of one name are two', async ({ one }) => {
      const first = await one.saveJob(job('mail'), undefined)
      const second = await one.saveJob(job('mail'), undefined)
      assert.notEqual(first._id, second._id)
      assert.equal((await one.queryJobs({ name: 'mail' })).total, 2)
    })

    promise('saved with its id a job is changed, and what its runs wrote is left alone', async ({ one, two }) => {
      const saved = await one.saveJob(job('mail', { repeatInterval: 1000 }), undefined)
      const held = await locked(two, 'mail')
      await two.saveJobState({ ...held, lastRunAt: new Date(), failCount: 2 }, undefined)
      await one.saveJob({ ...saved, priority: 3, data: { n: 2 } } as JobParameters, undefined)
      const found = await one.getJobById(String(saved._id))
      assert.equal(found?.priority, 3)
      assert.deepEqual(found?.data, { n: 2 })
      assert.equal(found?.failCount, 2)
      near(found?.lockedAt, Date.now())
      near(found?.lastRunAt, Date.now())
    })

    promise('null takes a field away, and what is not said stays', async ({ one }) => {
      const { _id } = await one.saveJob(job('mail', { repeatInterval: 1000, disabled: true }), undefined)
      await one.saveJob({ _id, ...job('mail', { nextRunAt: null }) } as JobParameters, undefined)
      const found = await one.getJobById(String(_id))
      assert.equal(found?.nextRunAt, null)
      assert.equal(found?.disabled, true)
      assert.equal(found?.repeatInterval, 1000)
    })

    promise('saving does not bring back a job that was removed', async ({ one }) => {
      const saved = await one.saveJob(job('mail'), undefined)
      await one.purgeAllJobs()
      assert.equal((await one.saveJob(saved, undefined))._id, saved._id)
      assert.equal((await one.queryJobs()).total, 0)
    })

    promise('a single job is one, whoever saves it and how often', async ({ one, two }) => {
      const saves = Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).saveJob(job('sweep', { type: 'single' }), undefined))
      assert.equal(new Set(ids(await Promise.all(saves))).size, 1)
      assert.equal((await one.queryJobs({ name: 'sweep' })).total, 1)
    })

    promise('a single job that would begin now keeps the time it has: what was missed is caught up', async ({ one, clock }) => {
      await one.saveJob(job('sweep', { type: 'single', nextRunAt: new Date(Date.now() + MINUTE), repeatInterval: HOUR }), undefined)
      clock.advance(1800)
      const saved = await one.saveJob(job('sweep', { type: 'single', repeatInterval: HOUR }), undefined)
      near(saved.nextRunAt, Date.now() - 29 * MINUTE)
    })

    promise('the time it keeps is never farther off than its interval, which may have become shorter', async ({ one }) => {
      await one.saveJob(job('sweep', { type: 'single', nextRunAt: new Date(Date.now() + HOUR), repeatInterval: HOUR }), undefined)
      const saved = await one.saveJob(job('sweep', { type: 'single', repeatInterval: MINUTE }), undefined)
      near(saved.nextRunAt, Date.now() + MINUTE)
      assert.equal(saved.repeatInterval, MINUTE)
    })

    promise('a time to come that is given to a single job is taken over', async ({ one }) => {
      await one.saveJob(job('sweep', { type: 'single', nextRunAt: new Date(Date.now() + HOUR) }), undefined)
      const saved = await one.saveJob(job('sweep', { type: 'single', nextRunAt: new Date(Date.now() + 2 * HOUR) }), undefined)
      near(saved.nextRunAt, Date.now() + 2 * HOUR)
    })

    promise('a job made unique by a query is refused, and told why', async ({ one }) => {
      await assert.rejects(one.saveJob(job('mail', { unique: { 'data.to': 'a' } }), undefined), /unique by a query are not kept/)
      assert.equal((await one.queryJobs()).total, 0)
    })
  })

  describe(`${title}: reading jobs`, () => {
    promise('there is no job of an unknown id', async ({ one }) => {
      assert.equal(await one.getJobById('job-none'), null)
    })

    promise('a query finds by name, id, part of the name, data and whether a job is disabled', async ({ one }) => {
      const mail = await one.saveJob(job('send-mail', { data: { to: 'a', body: { lines: 2, words: 9 } } }), undefined)
      const text = await one.saveJob(job('send-text', { data: { to: 'b' }, disabled: true }), undefined)
      const sweep = await one.saveJob(job('sweep'), undefined)
      const found = async (options: Parameters<PortJobRepository['queryJobs']>[0]) =>
        [...names((await one.queryJobs({ ...options, sort: { name: 'asc' } })).jobs)].join(' ')
      assert.equal(await found({}), 'send-mail send-text sweep')
      assert.equal(await found({ name: 'sweep' }), 'sweep')
      assert.equal(await found({ names: ['sweep', 'send-text', 'other'] }), 'send-text sweep')
      assert.equal(await found({ id: String(mail._id) }), 'send-mail')
      assert.equal(await found({ ids: [String(text._id), String(sweep._id)] }), 'send-text sweep')
      assert.equal(await found({ search: 'SEND-' }), 'send-mail send-text')
      assert.equal(await found({ search: 's.*p' }), '')
      assert.equal(await found({ data: { body: { lines: 2 } } }), 'send-mail')
      assert.equal(await found({ data: { body: { lines: 3 } } }), '')
      assert.equal(await found({ includeDisabled: false }), 'send-mail sweep')
    })

    promise('a query sorts and pages, and says how many there are', async ({ one }) => {
      for (const [n, name] of ['c', 'a', 'd', 'b'].entries()) {
        await one.saveJob(job(name, { priority: n, nextRunAt: new Date(Date.now() + n * HOUR) }), undefined)
      }
      assert.deepEqual(names((await one.queryJobs()).jobs), ['b', 'd', 'a', 'c'])
      assert.deepEqual(names((await one.queryJobs({ sort: { priority: 'asc' } })).jobs), ['c', 'a', 'd', 'b'])
      const page = await one.queryJobs({ sort: { name: 'desc' }, skip: 1, limit: 2 })
      assert.deepEqual([names(page.jobs), page.total], [['c', 'b'], 4])
    })

    promise('what a job is doing is told by its times, in queries and in the overview', async ({ one }) => {
      const soon = new Date(Date.now() + HOUR)
      await one.saveJob(job('mail'), undefined)
      await one.saveJob(job('mail', { nextRunAt: soon }), undefined)
      await one.saveJob(job('mail', { nextRunAt: soon, repeatInterval: 1000, disabled: true }), undefined)
      await one.saveJob(job('text', { nextRunAt: null }), undefined)
      await one.saveJob(job('sweep'), undefined)
      await locked(one, 'sweep')
      const states = async (name: string) => (await one.queryJobs({ name })).jobs.map(({ state }) => state).sort()
      assert.deepEqual(await states('mail'), ['queued', 'repeating', 'scheduled'])
      assert.deepEqual(await states('sweep'), ['running'])
      assert.equal((await one.queryJobs({ state: 'scheduled' })).total, 1)
      assert.equal((await one.queryJobs({ state: 'paused' })).total, 1)
      const none = { total: 1, running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 }
      const overview = (await one.getJobsOverview()).sort((a, b) => (a.name < b.name ? -1 : 1))
      assert.deepEqual(overview, [
        { ...none, name: 'mail', total: 3, queued: 1, scheduled: 1, repeating: 1, paused: 1 },
        { ...none, name: 'sweep', running: 1 },
        { ...none, name: 'text', completed: 1 },
      ])
    })

    promise('the names of jobs, each once', async ({ one }) => {
      assert.deepEqual(await one.getDistinctJobNames(), [])
      for (const name of ['b', 'a', 'b']) await one.saveJob(job(name), undefined)
      assert.deepEqual((await one.getDistinctJobNames()).sort(), ['a', 'b'])
    })

    promise('the queue is as long as there are jobs whose time has come', async ({ one, clock }) => {
      await one.saveJob(job('a', { nextRunAt: new Date(Date.now() - 1000) }), undefined)
      await one.saveJob(job('b', { nextRunAt: new Date(Date.now() + HOUR) }), undefined)
      await one.saveJob(job('c', { nextRunAt: null }), undefined)
      assert.equal(await one.getQueueSize(), 1)
      clock.advance(3601)
      assert.equal(await one.getQueueSize(), 2)
    })
  })

  describe(`${title}: removing and disabling jobs`, () => {
    async function five(one: PortJobRepository): Promise<readonly string[]> {
      const saved: JobParameters[] = []
      for (const name of ['a', 'b', 'c', 'd', 'e']) saved.push(await one.saveJob(job(name, { data: { of: name } }), undefined))
      return ids(saved)
    }

    promise('without criteria nothing is removed, disabled or enabled', async ({ one }) => {
      await five(one)
      for (const nothing of [{}, { ids: [] }, { names: [] }, { notNames: [] }]) {
        assert.equal(await one.removeJobs(nothing), 0)
        assert.equal(await one.disableJobs(nothing), 0)
        assert.equal(await one.enableJobs(nothing), 0)
      }
      assert.equal((await one.queryJobs({ includeDisabled: false })).total, 5)
    })

    promise('jobs are removed by id, name, other names and data, and counted', async ({ one }) => {
      const [a, b] = await five(one)
      assert.equal(await one.removeJobs({ id: a as string }), 1)
      assert.equal(await one.removeJobs({ ids: [a as string, b as string] }), 1)
      assert.equal(await one.removeJobs({ names: ['a', 'c'] }), 1)
      assert.equal(await one.removeJobs({ name: 'd', data: { of: 'e' } }), 0)
      assert.equal(await one.removeJobs({ notNames: ['d'] }), 1)
      assert.equal(await one.removeJobs({ data: { of: 'd' } }), 1)
      assert.equal(await one.removeJobs({ name: 'd' }), 0)
    })

    promise('purging removes all', async ({ one }) => {
      await five(one)
      assert.equal(await one.purgeAllJobs(), 5)
      assert.equal((await one.queryJobs()).total, 0)
    })

    promise('a disabled job is not locked until it is enabled', async ({ one }) => {
      await five(one)
      assert.equal(await one.disableJobs({ name: 'a' }), 1)
      assert.equal(await next(one, 'a'), undefined)
      assert.equal(await one.enableJobs({ names: ['a'] }), 1)
      await locked(one, 'a')
    })
  })

  describe(`${title}: locking`, () => {
    promise('what is due is handed out once, as due now, and locked', async ({ one, two }) => {
      await one.saveJob(job('mail', { nextRunAt: new Date(Date.now() - HOUR) }), undefined)
      const held = await locked(one, 'mail')
      near(held.nextRunAt, Date.now())
      near(held.lockedAt, Date.now())
      assert.equal(await next(two, 'mail'), undefined)
      assert.equal(await next(one, 'mail'), undefined)
    })

    promise('of twenty that ask at once one gets it', async ({ one, two }) => {
      for (let round = 0; round < 5; round++) await one.saveJob(job(`mail-${round}`), undefined)
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => next(n % 2 ? one : two, `mail-${round}`)))
        assert.equal(answers.filter(Boolean).length, 1)
      }
    })

    promise('the most urgent comes first, then the one that waits longest', async ({ one }) => {
      const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE)
      await one.saveJob(job('mail', { data: 'third', nextRunAt: ago(1) }), undefined)
      await one.saveJob(job('mail', { data: 'second', nextRunAt: ago(9) }), undefined)
      await one.saveJob(job('mail', { data: 'first', priority: 10, nextRunAt: ago(0) }), undefined)
      const order = [await locked(one, 'mail'), await locked(one, 'mail'), await locked(one, 'mail')]
      assert.deepEqual(
        order.map(({ data }) => data),
        ['first', 'second', 'third'],
      )
    })

    promise('nothing is locked before its time by the store’s clock, however far a node looks ahead', async ({ one, clock }) => {
      await one.saveJob(job('mail', { nextRunAt: new Date(Date.now() + HOUR) }), undefined)
      await one.saveJob(job('mail', { nextRunAt: null }), undefined)
      assert.equal(await next(one, 'mail', 2 * HOUR), undefined)
      clock.advance(3601)
      await locked(one, 'mail')
      assert.equal(await next(one, 'mail'), undefined)
    })

    promise('a clock that is set back holds no job up until it has caught up', async ({ one, two, clock }) => {
      await one.saveJob(job('sweep', { repeatInterval: HOUR }), undefined)
      const ran = { lastRunAt: new Date(), nextRunAt: new Date(Date.now() + HOUR), lockedAt: null }
      await one.saveJobState({ ...(await locked(one, 'sweep')), ...ran } as unknown as JobParameters, undefined)
      clock.advance(-86_400)
      await two.saveJobState({ ...(await locked(two, 'sweep')), ...ran } as unknown as JobParameters, undefined)
      assert.equal(await next(one, 'sweep'), undefined)
    })

    promise('only jobs of the name that was asked for', async ({ one }) => {
      await one.saveJob(job('mail'), undefined)
      assert.equal(await next(one, 'text'), undefined)
    })

    promise(
      'a lock that was not renewed for its lifetime passes on, and the run that was cut off is due now',
      async ({ one, two, clock }) => {
        await one.saveJob(job('sweep', { repeatInterval: HOUR }), undefined)
        const held = await locked(one, 'sweep')
        await one.saveJobState({ ...held, lastRunAt: new Date(), nextRunAt: new Date(Date.now() + HOUR) }, undefined)
        clock.advance(LIFETIME / 1000 - 1)
        assert.equal(await next(two, 'sweep'), undefined)
        clock.advance(2)
        near((await locked(two, 'sweep')).nextRunAt, Date.now())
      },
    )

    promise('a lock that is renewed stays', async ({ one, two, clock }) => {
      await one.saveJob(job('sweep'), undefined)
      const held = await locked(one, 'sweep')
      clock.advance(LIFETIME / 1000 - 1)
      await one.saveJobState({ ...held, lockedAt: new Date() }, undefined)
      clock.advance(LIFETIME / 1000 - 1)
      assert.equal(await next(two, 'sweep'), undefined)
    })

    promise('a job is locked by itself only for the fire it was read with', async ({ one, two }) => {
      const saved = await one.saveJob(job('mail', { nextRunAt: new Date(Date.now() + HOUR) }), undefined)
      const moved = { ...saved, nextRunAt: new Date(Date.now() + 2 * HOUR) } as JobParameters
      assert.equal(await two.lockJob(moved, undefined), undefined)
      assert.ok(await one.lockJob(saved, undefined))
      assert.equal(await two.lockJob(saved, undefined), undefined)
      assert.equal(await two.lockJob(job('mail'), undefined), undefined)
    })

    promise('released, a job is handed out again', async ({ one, two }) => {
      await one.saveJob(job('a'), undefined)
      await one.saveJob(job('b'), undefined)
      const [a, b] = [await locked(one, 'a'), await locked(one, 'b')]
      await one.unlockJob(a)
      await locked(two, 'a')
      await one.unlockJobs([String(b._id), 'job-none'])
      await locked(two, 'b')
    })

    promise('a node releases no lock but its own', async ({ one, two, clock }) => {
      await one.saveJob(job('mail'), undefined)
      const held = await locked(one, 'mail')
      await two.unlockJobs([String(held._id)])
      assert.equal(await next(two, 'mail'), undefined)
      clock.advance(LIFETIME / 1000 + 1)
      await locked(two, 'mail')
      await one.unlockJobs([String(held._id)])
      assert.equal(await next(one, 'mail'), undefined)
    })

    promise('closed, a node locks nothing more and what it held is free', async ({ one, two }) => {
      await one.saveJob(job('a'), undefined)
      await one.saveJob(job('b'), undefined)
      await locked(one, 'a')
      const late = next(one, 'b')
      await one.close()
      assert.equal(await next(one, 'a'), undefined)
      await locked(two, 'a')
      await late
      await locked(two, 'b')
    })

    promise('after a start alone every lock is free, and what was cut off is due', async ({ one, two }) => {
      await one.saveJob(job('sweep', { repeatInterval: HOUR }), undefined)
      const held = await locked(one, 'sweep')
      await one.saveJobState({ ...held, nextRunAt: new Date(Date.now() + HOUR) }, undefined)
      await two.releaseAll()
      await locked(two, 'sweep')
    })
  })

  describe(`${title}: the state of runs`, () => {
    promise('a run writes what became of it, and its last word frees the job', async ({ one, two }) => {
      const { _id } = await one.saveJob(job('mail', { repeatInterval: HOUR }), undefined)
      const held = await locked(one, 'mail')
      const done = { lastRunAt: new Date(), lastFinishedAt: new Date(), nextRunAt: new Date(Date.now() + HOUR), progress: 50 }
      await one.saveJobState({ ...held, ...done, failCount: 1, failReason: 'no' } as JobParameters, undefined)
      await one.saveJobState({ ...held, ...done, lockedAt: undefined } as unknown as JobParameters, { lastModifiedBy: 'node-1' })
      const found = await two.getJobById(String(_id))
      assert.ok(found)
      assert.equal(found.lockedAt, undefined)
      assert.deepEqual([found.failCount, found.failReason, found.progress, found.lastModifiedBy], [undefined, undefined, 50, 'node-1'])
      near(found.nextRunAt, Date.now() + HOUR)
      near(found.lastFinishedAt, Date.now())
    })

    promise('a run whose lock has passed on changes nothing, and is told', async ({ one, two, clock }) => {
      const { _id } = await one.saveJob(job('mail', { repeatInterval: HOUR }), undefined)
      const first = await locked(one, 'mail')
      clock.advance(LIFETIME / 1000 + 1)
      const second = await locked(two, 'mail')
      await two.saveJobState({ ...second, progress: 80 }, undefined)
      const before = await one.getJobById(String(_id))
      for (const lockedAt of [new Date(), undefined]) {
        const late = { ...first, lockedAt, nextRunAt: null, failReason: 'late' } as JobParameters
        await assert.rejects(one.saveJobState(late, undefined), LockLost)
      }
      const after = await one.getJobById(String(_id))
      assert.deepEqual([after?.progress, after?.failReason], [80, undefined])
      near(after?.lockedAt, before?.lockedAt?.getTime() ?? 0)
      await two.saveJobState({ ...second, lockedAt: undefined } as unknown as JobParameters, undefined)
      const later = { ...first, lockedAt: undefined } as unknown as JobParameters
      await assert.rejects(one.saveJobState(later, undefined), LockLost, 'nor after its successor has ended')
    })

    promise('a lock that expired and that nobody took is still its holder’s', async ({ one, clock }) => {
      await one.saveJob(job('mail'), undefined)
      const held = await locked(one, 'mail')
      clock.advance(LIFETIME / 1000 + 1)
      await one.saveJobState({ ...held, lockedAt: new Date() }, undefined)
      assert.equal(await next(one, 'mail'), undefined)
    })

    promise('a renewal that arrives after the release does not lock the job again', async ({ one, two }) => {
      await one.saveJob(job('mail'), undefined)
      const held = await locked(one, 'mail')
      await one.saveJobState({ ...held, lockedAt: undefined } as unknown as JobParameters, undefined)
      await assert.rejects(one.saveJobState({ ...held, lockedAt: new Date() }, undefined), LockLost)
      await locked(two, 'mail')
    })

    promise('who holds no lock writes only while nobody does', async ({ one, two }) => {
      const saved = await one.saveJob(job('mail'), undefined)
      await two.saveJobState({ ...saved, progress: 10 }, undefined)
      const read = (await one.queryJobs({ id: String(saved._id) })).jobs[0] as JobParameters
      assert.equal(read.progress, 10)
      await locked(one, 'mail')
      await assert.rejects(two.saveJobState({ ...read, progress: 20 }, undefined), LockLost)
      await assert.rejects(two.saveJobState(job('mail'), undefined), /before the job is/)
    })
  })

  describe(`${title}: polling`, () => {
    promise('the questions of one poll are one query, and nothing is written while nothing is due', async ({ store }) => {
      const asked: string[] = []
      const node = new PortBackend(counting(store, asked)).repository
      const all = Array.from({ length: 30 }, (_, n) => `job-${n}`)
      for (const name of all) await node.saveJob(job(name, { type: 'single', nextRunAt: new Date(Date.now() + HOUR) }), undefined)
      asked.length = 0
      await Promise.all(all.map((name) => next(node, name)))
      assert.deepEqual(asked, ['distinct'])
    })

    promise('what others hold is not tried for', async ({ store, one }) => {
      const asked: string[] = []
      const node = new PortBackend(counting(store, asked)).repository
      await one.saveJob(job('mail'), undefined)
      await locked(one, 'mail')
      await next(node, 'mail')
      assert.deepEqual(asked, ['distinct'])
    })
  })
}

/** The store, with a log of the called collection methods. */
function counting(store: Store, asked: string[]): Store {
  const noting = (collection: Collection<object>): Collection<object> =>
    new Proxy(collection, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          asked.push(String(name))
          return (member as (...args: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  return {
    kind: store.kind,
    now: () => store.now(),
    collection: (ref: CollectionRef, tenantId: string) => noting(store.collection(ref, tenantId)),
  } as unknown as Store
}
