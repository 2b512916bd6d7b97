import type { JobRef, JobRun, Plugin, Principal } from '@gateway/sdk'
import type { Logger } from 'pino'

export interface JobParts {
  readonly plugins: readonly Plugin[]
  readonly log: Logger
  readonly tenants: () => Promise<readonly string[]>
  /** Runs a job’s code with its refs resolved, as `system` in one tenant. */
  readonly runIn: (job: JobRef, plugin: string, tenantId: string) => Promise<unknown>
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

/** Runs jobs in this process by interval: one run of a job at a time in a tenant; a late timer is one run, not many. */
export function jobRunner(parts: JobParts): JobRunner {
  const jobs = parts.plugins.flatMap((plugin) => plugin.jobs.map((job) => ({ job, plugin: plugin.id })))
  const owner = new Map(jobs.map(({ job, plugin }) => [job.id, plugin]))
  const timers: NodeJS.Timeout[] = []
  const running = new Map<string, Promise<unknown>>()

  /** Joins a run that is under way: two at once could do the same work twice. */
  function runOnce(job: JobRef, tenantId: string): Promise<unknown> {
    const key = `${job.id}\n${tenantId}`
    const under = running.get(key)
    if (under) return under
    const run = parts.runIn(job, owner.get(job.id) ?? '', tenantId).finally(() => running.delete(key))
    running.set(key, run)
    return run
  }

  async function everywhere(job: JobRef): Promise<void> {
    for (const tenantId of await parts.tenants()) {
      try {
        await runOnce(job, tenantId)
      } catch (error) {
        parts.log.error({ plugin: owner.get(job.id), job: job.id, tenantId, err: error }, 'a job failed')
      }
    }
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
      await Promise.allSettled(running.values())
    },
    async runFor(job, principal) {
      const all = principal.role === 'operator' || principal.role === 'system'
      const tenants = all ? [...new Set([principal.tenantId, ...(await parts.tenants())])] : [principal.tenantId]
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
