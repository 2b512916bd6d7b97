import { newId } from '@gateway/kernel'
import { allOf, type Collection, type Filter, now, type Sort, type Update } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type {
  JobId,
  JobParameters,
  JobRepository,
  JobRepositoryOptions,
  JobsOverview,
  JobsQueryOptions,
  JobsResult,
  RemoveJobsOptions,
} from 'agenda'
import { hasData, querySelection, selection } from './criteria.ts'
import { DueLook, isDue } from './due.ts'
import { DEFINITION, type JobRecord, jobRecords, newRecord, STATE, setting, toJob } from './job-record.ts'

/** Raised when a run writes the state of a job that has passed to another node. */
export class LockLost extends Error {
  constructor(name: string) {
    super(`the lock of ${name} has passed to another run`)
  }
}

/** A job whose lock this node holds; agenda returns the object with whatever it has to write. */
type Locked = JobParameters & { readonly lock?: number }

const LIMIT = 10_000

/**
 * agenda's jobs over the storage port, the same on every store. A job is locked by one atomic write and receives the number of
 * that lock; the state of a run is written on the condition that the number is still current. Times are the store's.
 *
 * Queries look at every job they name: there is one record per declared job.
 */
export class PortJobRepository implements JobRepository {
  readonly #store: Store
  readonly #records: Collection<JobRecord>
  readonly #due: DueLook
  /** Numbers of the locks that this node holds, by job. */
  readonly #held = new Map<string, number>()
  readonly #locking = new Set<Promise<unknown>>()
  #closed = false

  constructor(store: Store) {
    this.#store = store
    this.#records = store.collection<JobRecord>(jobRecords, KERNEL_TENANT)
    this.#due = new DueLook(this.#records)
  }

  async connect(): Promise<void> {}

  /** Locks nothing more, and releases locks of jobs that are not running. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#locking)
    await this.unlockJobs([...this.#held.keys()])
  }

  /** If one process has the store, the holder of an old lock is dead, and the interrupted run is due. */
  async releaseAll(): Promise<void> {
    await this.#records.updateMany({ lockedAt: { exists: true } }, { set: { nextRunAt: now() }, unset: ['lockedAt'] })
  }

  /** `nextScanAt` is ignored: a job locked ahead of its time would wait for it by this node's clock. */
  async getNextJobToRun(
    name: string,
    _nextScanAt: Date,
    lockDeadline: Date,
    at: Date | undefined,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    const lifetimeMs = (at?.getTime() ?? Date.now()) - lockDeadline.getTime()
    if (!(await this.#due.has(name, lifetimeMs))) return undefined
    return this.#lock({ name, ...isDue(lifetimeMs) }, options)
  }

  /** Locks the job for the same fire time: a run since then has moved `nextRunAt`. Two clocks give a time to the second. */
  async lockJob({ _id, name, nextRunAt }: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    if (_id === undefined) return undefined
    const distance = nextRunAt ? nextRunAt.getTime() - Date.now() : 0
    const same = nextRunAt ? { gte: { $now: distance - 1000 }, lte: { $now: distance + 1000 } } : { eq: null }
    return this.#lock({ id: _id, name, lockedAt: null, disabled: { ne: true }, nextRunAt: same }, options)
  }

  /** Only this node's locks: an expired one may belong to another node by now. */
  async unlockJobs(ids: readonly (JobId | string)[]): Promise<void> {
    for (const id of ids) {
      const lock = this.#held.get(id)
      if (lock === undefined) continue
      await this.#records.updateOne(id, { unset: ['lockedAt'] }, { lock })
      this.#forget(id, lock)
    }
  }

  /** agenda does not wait for this: nobody would handle a failure, and a lock that is not released expires. */
  async unlockJob({ _id }: JobParameters): Promise<void> {
    if (_id !== undefined) await this.unlockJobs([_id]).catch(() => {})
  }

  async saveJobState(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<void> {
    const { _id: id, name, lock, lockedAt } = job as Locked
    if (id === undefined) throw new Error(`the state of ${name} cannot be saved before the job is`)
    const state = Object.fromEntries(STATE.map((field) => [field, job[field] ?? null])) as unknown as JobParameters
    const update = signed(setting(state, STATE), options)
    // Without a lock, only while nobody holds one. With one, it must be the last that was given, and renewing requires that it
    // was not released.
    const own: Filter<JobRecord> = lock === undefined ? { lockedAt: null } : lockedAt ? { lock, lockedAt: { exists: true } } : { lock }
    if (!(await this.#records.updateOne(id, update, { name, ...own }))) throw new LockLost(name)
    if (lock !== undefined && !lockedAt) this.#forget(id, lock)
  }

  async #lock(where: Filter<JobRecord>, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    if (this.#closed) return undefined
    const update = signed({ set: { lockedAt: now() }, inc: { lock: 1 } }, options)
    const locking = this.#records.claim({ where, sort: { priority: -1, nextRunAt: 1 }, update })
    this.#locking.add(locking)
    try {
      const record = await locking
      if (!record) return undefined
      this.#held.set(record.id, record.lock)
      const job = toJob(record, Date.parse(record.lockedAt as string))
      // Due now, whatever the record says: the next time must not be awaited after an interrupted run.
      return { ...job, nextRunAt: new Date(), lock: record.lock } as Locked
    } finally {
      this.#locking.delete(locking)
    }
  }

  #forget(id: string, lock: number): void {
    if (this.#held.get(id) === lock) this.#held.delete(id)
  }

  /** Fields that the runs of a job write are not changed. */
  async saveJob<Data = unknown>(job: JobParameters<Data>, options: JobRepositoryOptions | undefined): Promise<JobParameters<Data>> {
    if (job.unique) throw new Error('jobs made unique by a query are not kept; name the job, and it is one')
    const given = job as JobParameters
    const saved = await this.#saved(given, options)
    // The job was removed meanwhile.
    if (!saved) return job
    return toJob(saved, await this.#now()) as JobParameters<Data>
  }

  async #saved(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobRecord | undefined> {
    const { _id, name, type } = job
    const update = signed(setting(job, DEFINITION), options)
    if (_id !== undefined) return this.#records.updateOne(_id, update, { name })
    const storeNow = await this.#now()
    if (type === 'single') return this.#records.upsert(newRecord(`every:${name}`, job, storeNow, options), keepingItsTime(job, update))
    return this.#records.insert(newRecord(newId('job-', storeNow), job, storeNow, options))
  }

  async getJobById(id: string): Promise<JobParameters | null> {
    const record = await this.#records.get(id)
    return record ? toJob(record, await this.#now()) : null
  }

  async queryJobs({ data, state, sort, skip = 0, limit = 0, ...options }: JobsQueryOptions = {}): Promise<JobsResult> {
    const { computeJobState } = await import('agenda')
    const found = (await this.#all(querySelection(options), toSort(sort))).filter((record) => hasData(record.data, data))
    const storeNow = await this.#now()
    const jobs = found
      .map((record) => toJob(record, storeNow))
      .map((job) => ({ ...job, state: computeJobState(job) }))
      .filter((job) => state === undefined || (state === 'paused' ? job.disabled === true : job.state === state))
    return { jobs: jobs.slice(skip, limit > 0 ? skip + limit : undefined), total: jobs.length }
  }

  async getJobsOverview(): Promise<JobsOverview[]> {
    const overviews = new Map<string, JobsOverview>()
    for (const { name, state, disabled } of (await this.queryJobs()).jobs) {
      const none = { name, total: 0, running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 }
      const overview = overviews.get(name) ?? none
      overview.total++
      overview[state]++
      if (disabled) overview.paused++
      overviews.set(name, overview)
    }
    return [...overviews.values()]
  }

  async getDistinctJobNames(): Promise<string[]> {
    return [...(await this.#records.distinct('name'))]
  }

  async getQueueSize(): Promise<number> {
    return this.#records.count({ nextRunAt: { exists: true, lt: now() } })
  }

  async removeJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#records.deleteMany({ id: { in: await this.#selected(options) } })
  }

  async disableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#records.updateMany({ id: { in: await this.#selected(options) } }, { set: { disabled: true } })
  }

  async enableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#records.updateMany({ id: { in: await this.#selected(options) } }, { unset: ['disabled'] })
  }

  async purgeAllJobs(): Promise<number> {
    return this.#records.deleteMany({})
  }

  async #selected(options: RemoveJobsOptions): Promise<readonly string[]> {
    const where = selection(options)
    if (!where) return []
    return (await this.#all(where)).filter(({ data }) => hasData(data, options.data)).map(({ id }) => id)
  }

  #all(where: Filter<JobRecord>, sort: Sort<JobRecord> = {}): Promise<readonly JobRecord[]> {
    return allOf(this.#records, { where, sort, limit: LIMIT })
  }

  async #now(): Promise<number> {
    return (await this.#store.now()).getTime()
  }
}

/** Adds the name of the writing node, if it has one. */
function signed(update: object, options: JobRepositoryOptions | undefined): Update<JobRecord> {
  const { set } = update as Update<JobRecord>
  return { ...update, set: { ...set, lastModifiedBy: options?.lastModifiedBy } } as Update<JobRecord>
}

/**
 * A repeating job is saved at every start. If its time would only become “from now on”, it keeps its old time, so that a missed
 * run is caught up. That time is never farther away than the interval, which may have become shorter.
 */
function keepingItsTime({ nextRunAt, repeatInterval }: JobParameters, update: Update<JobRecord>): Update<JobRecord> {
  if (!nextRunAt || nextRunAt.getTime() > Date.now()) return update
  const { nextRunAt: _, ...set } = update.set ?? {}
  const latest = typeof repeatInterval === 'number' ? { min: { nextRunAt: { $now: repeatInterval } } } : {}
  return { ...update, set, ...latest }
}

function toSort(sort: JobsQueryOptions['sort']): Sort<JobRecord> {
  const { data, ...fields } = sort ?? {}
  if (data !== undefined) throw new Error('jobs cannot be sorted by their data')
  const given = Object.entries(fields).map(([field, direction]) => [field, direction === 'asc' ? 1 : -1])
  return given.length === 0 ? { nextRunAt: -1, lastRunAt: -1 } : Object.fromEntries(given)
}
