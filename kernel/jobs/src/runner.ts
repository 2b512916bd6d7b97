import { once, setMaxListeners } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type JobParts, type JobRunner, LOCAL_TENANT, reachOf } from '@gateway/kernel'
import type { JobRef, JobRun } from '@gateway/sdk'
import type { Agenda, Job } from 'agenda'
import { PortBackend } from './backend.ts'
import { type KeptLock, keepLock } from './kept-lock.ts'
import { measureLateness } from './metrics.ts'
import { LockLost } from './repository.ts'
import { SparingLog } from './sparing-log.ts'

export interface RunnerOptions {
  /** Default LOCK_SECONDS; tests wait less. */
  readonly lockSeconds?: number
}

/** Lock lifetime: a dead node's jobs are taken over after this. It is renewed three times as often while a round runs. */
const LOCK_SECONDS = 15
/** Interval in which a node polls for due jobs, with one indexed query. A round begins late by at most this. */
const POLL_MS = 1_000
/** A job with a shorter interval stays with its node, because locking it for each round would cost a few writes a round. */
const KEPT_BELOW_SECONDS = 5
const TRY_AGAIN_MS = 5_000

/**
 * A *run* of a job is in one tenant; a *round* has a run in each tenant, or in those where the job finds work.
 *
 * 1. `start` registers each job with agenda, which keeps one record per job in the store, with the time of its next round.
 * 2. The node that finds a job due locks it for a round; a missed round is caught up once.
 * 3. A job with a short interval has its rounds on that node, under the one lock, until the node stops.
 * 4. The lock is renewed meanwhile. If it is lost, everything running under it is told to end, and agenda's writes are refused.
 * 5. A round that is cut off by a stop is due again at once, on another node or at the next start.
 *
 * In one tenant of one process a job has one run at a time, unless its runs may overlap; a second request joins the first.
 */
export function jobRunner(parts: JobParts, options: RunnerOptions = {}): JobRunner {
  const jobs = parts.plugins.flatMap((plugin) => plugin.jobs.map((job) => ({ job, plugin: plugin.id })))
  const owner = new Map(jobs.map(({ job, plugin }) => [job.id, plugin]))
  const lockMs = (options.lockSeconds ?? LOCK_SECONDS) * 1_000
  const running = new Set<Promise<unknown>>()
  const joinable = new Map<string, Promise<unknown>>()
  const locks = new Set<KeptLock>()
  const faults = new SparingLog(parts.log)
  const stopping = new AbortController()
  // Any number of runs may listen to it at once.
  setMaxListeners(0, stopping.signal)
  measureLateness(parts)
  let starting: Promise<Agenda | undefined> = Promise.resolve(undefined)

  function run(job: JobRef, tenantId: string, signal: AbortSignal): Promise<unknown> {
    const run = parts.runIn(job, owner.get(job.id) ?? '', tenantId, signal).finally(() => running.delete(run))
    running.add(run)
    return run
  }

  /** Joins a run that is under way: two at once could do the same work twice. */
  function runOrJoin(job: JobRef, tenantId: string, signal: AbortSignal): Promise<unknown> {
    if (job.overlapping) return run(job, tenantId, signal)
    const key = `${job.id}\n${tenantId}`
    const underWay = joinable.get(key)
    if (underWay) return underWay
    const fresh = run(job, tenantId, signal).finally(() => joinable.delete(key))
    joinable.set(key, fresh)
    return fresh
  }

  async function tenantsOf(job: JobRef): Promise<readonly string[]> {
    if (job.gatewayWide) return [LOCAL_TENANT]
    return job.due.length > 0 ? parts.dueTenants(job) : parts.tenants(job)
  }

  /** A run that fails is logged, and the others follow. */
  async function round(job: JobRef, signal: AbortSignal): Promise<void> {
    const runIn = async (tenantId: string): Promise<void> => {
      if (signal.aborted) return
      try {
        await runOrJoin(job, tenantId, signal)
      } catch (error) {
        const fields = { plugin: owner.get(job.id), job: job.id, tenantId, err: error }
        faults.fault({ level: 'error', fields, message: 'a job failed', subject: `run ${job.id}` })
      }
    }
    const tenants = await tenantsOf(job)
    // A tenant's run that waits must not delay the others.
    if (job.overlapping) await Promise.all(tenants.map(runIn))
    else for (const tenantId of tenants) await runIn(tenantId)
  }

  /** Runs to its end; a job that may overlap runs only to its beginning, so that the next one is not delayed. */
  async function scheduledRound(job: JobRef, signal: AbortSignal): Promise<void> {
    const ended = round(job, signal).catch((error: unknown) => {
      const fields = { plugin: owner.get(job.id), job: job.id, err: error }
      faults.fault({ level: 'error', fields, message: 'a job could not be started', subject: 'round' })
    })
    if (!job.overlapping) await ended
  }

  /**
   * Starts a round at each interval until the signal. A late timer gives one round, not many, and none begins before the last has
   * ended.
   */
  async function roundsAtIntervals(job: JobRef, signal: AbortSignal): Promise<void> {
    let current: Promise<void> | undefined
    const next = (): void => {
      current ??= scheduledRound(job, signal).finally(() => (current = undefined))
    }
    const timer = setInterval(next, job.everySeconds * 1_000)
    next()
    if (!signal.aborted) await once(signal, 'abort')
    clearInterval(timer)
    await current
  }

  /** Makes the job due at once, because its round was cut off: agenda writes the time when it unlocks the job, if the lock is still held. */
  function handOver(locked: Job): void {
    locked.attrs.nextRunAt = new Date()
  }

  /** Called when agenda found the job due and locked it for this node. */
  async function holdLock(job: JobRef, locked: Job): Promise<void> {
    if (stopping.signal.aborted) return handOver(locked)
    const lock = keepLock(locked, lockMs)
    locks.add(lock)
    try {
      await (job.everySeconds < KEPT_BELOW_SECONDS ? roundsAtIntervals : scheduledRound)(job, lock.signal)
      if (lock.signal.aborted) handOver(locked)
    } finally {
      await lock.release()
      locks.delete(lock)
      const { reason } = lock.signal
      if (reason instanceof LockLost)
        parts.log.warn({ plugin: owner.get(job.id), job: job.id }, `${reason.message}, and this one was ended`)
    }
  }

  async function startAgenda(): Promise<Agenda> {
    // Imported here because it takes longer to load than the rest of the gateway to answer.
    const { Agenda } = await import('agenda')
    const backend = new PortBackend(parts.store)
    if (parts.store.kind === 'sqlite') await backend.repository.releaseAll()
    const agenda = new Agenda({
      backend,
      processEvery: POLL_MS,
      maxConcurrency: jobs.length,
      defaultConcurrency: 1,
      defaultLockLimit: 1,
      defaultLockLifetime: lockMs,
    })
    agenda.on('error', (error: Error) => {
      if (error instanceof LockLost) return
      const message = 'a job could not be looked for, begun or ended'
      // All jobs share one look, and each reports its fault.
      faults.sparingly({ level: 'warn', fields: { err: error }, message, subject: `look ${error.message}` })
    })
    for (const { job } of jobs) {
      agenda.define(job.id, (locked, done) => void holdLock(job, locked).then(() => done(), done))
      await agenda.every(job.everySeconds * 1_000, job.id)
    }
    if (!stopping.signal.aborted) await agenda.start()
    return agenda
  }

  async function startUntilItWorks(): Promise<Agenda | undefined> {
    while (!stopping.signal.aborted) {
      try {
        return await startAgenda()
      } catch (error) {
        parts.log.error({ err: error }, 'jobs could not be started; trying again')
        await setTimeout(TRY_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    return undefined
  }

  return {
    start() {
      if (jobs.length > 0) starting = startUntilItWorks()
    },
    async stop() {
      stopping.abort()
      for (const lock of locks) lock.end(new Error('the gateway is stopping'))
      const agenda = await starting
      // agenda removes a run from its list some promises after reporting it complete, and waits forever for one whose report it
      // missed, so it is not
      // asked in between.
      await setImmediate()
      await agenda?.drain()
      await Promise.allSettled(running)
    },
    async runFor(job, principal) {
      const tenants = job.gatewayWide ? [LOCAL_TENANT] : await reachOf(principal, () => parts.tenants(job))
      const runs: JobRun<unknown>[] = []
      for (const tenantId of tenants) runs.push({ tenantId, result: await runOrJoin(job, tenantId, stopping.signal) })
      return runs
    },
    async runEverywhere(id) {
      const found = jobs.find(({ job }) => job.id === id)
      if (!found) throw new Error(`no job ${id}`)
      await round(found.job, stopping.signal)
    },
  }
}
