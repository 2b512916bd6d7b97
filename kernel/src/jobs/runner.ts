import { setMaxListeners } from 'node:events'
import type { JobRef, JobRun, Plugin, Principal } from '@gateway/sdk'
import type { Logger } from 'pino'
import { reachOf } from '../tenancy/reach.ts'

export interface JobParts {
  readonly plugins: readonly Plugin[]
  readonly log: Logger
  /** The tenants a job runs for. */
  readonly tenants: (job: JobRef) => Promise<readonly string[]>
  /** Runs a job’s code with its refs resolved, as `system` in one tenant. `signal` is aborted when the jobs are stopped. */
  readonly runIn: (job: JobRef, plugin: string, tenantId: string, signal: AbortSignal) => Promise<unknown>
}

export interface JobRunner {
  /** Begin to run every job at its interval. */
  start(): void
  /** Stop the timers and wait for running jobs. */
  stop(): Promise<void>
  /** Run one job now over a principal’s reach. Faults are the caller’s. */
  runFor(job: JobRef, principal: Principal): Promise<readonly JobRun<unknown>[]>
  /** Run a job by id in every tenant. */
  runEverywhere(id: string): Promise<void>
}

/** Runs jobs in this process by interval: one run of a job at a time in a tenant, unless they may overlap; a late timer is one run, not many. */
export function jobRunner(parts: JobParts): JobRunner {
  const jobs = parts.plugins.flatMap((plugin) => plugin.jobs.map((job) => ({ job, plugin: plugin.id })))
  const owner = new Map(jobs.map(({ job, plugin }) => [job.id, plugin]))
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<unknown>>()
  const joinable = new Map<string, Promise<unknown>>()
  const stopping = new AbortController()
  // Any number of runs may listen to it at once.
  setMaxListeners(0, stopping.signal)

  function run(job: JobRef, tenantId: string): Promise<unknown> {
    const run = parts.runIn(job, owner.get(job.id) ?? '', tenantId, stopping.signal).finally(() => running.delete(run))
    running.add(run)
    return run
  }

  /** Joins a run that is under way: two at once could do the same work twice. */
  function runOnce(job: JobRef, tenantId: string): Promise<unknown> {
    if (job.overlapping) return run(job, tenantId)
    const key = `${job.id}\n${tenantId}`
    const under = joinable.get(key)
    if (under) return under
    const begun = run(job, tenantId).finally(() => joinable.delete(key))
    joinable.set(key, begun)
    return begun
  }

  async function everywhere(job: JobRef): Promise<void> {
    const inOne = async (tenantId: string): Promise<void> => {
      try {
        await runOnce(job, tenantId)
      } catch (error) {
        parts.log.error({ plugin: owner.get(job.id), job: job.id, tenantId, err: error }, 'a job failed')
      }
    }
    const tenants = await parts.tenants(job)
    // What one tenant’s run waits for must not hold up the others.
    if (job.overlapping) await Promise.all(tenants.map(inOne))
    else for (const tenantId of tenants) await inOne(tenantId)
  }

  async function tick(job: JobRef): Promise<void> {
    try {
      await everywhere(job)
    } catch (error) {
      parts.log.error({ plugin: owner.get(job.id), job: job.id, err: error }, 'a job could not be started')
    }
  }

  return {
    start() {
      for (const { job } of jobs) timers.push(setInterval(() => void tick(job), job.everySeconds * 1000).unref())
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.allSettled(running)
    },
    async runFor(job, principal) {
      const tenants = await reachOf(principal, () => parts.tenants(job))
      const runs: JobRun<unknown>[] = []
      for (const tenantId of tenants) runs.push({ tenantId, result: await runOnce(job, tenantId) })
      return runs
    },
    async runEverywhere(id) {
      const found = jobs.find(({ job }) => job.id === id)
      if (!found) throw new Error(`no job ${id}`)
      await everywhere(found.job)
    },
  }
}
