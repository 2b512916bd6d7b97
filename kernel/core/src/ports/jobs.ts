import type { Metrics } from '@gateway/metrics'
import type { JobRef, JobRun, Plugin, Principal } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'

export interface JobParts {
  readonly plugins: readonly Plugin[]
  readonly store: Store
  readonly log: Logger
  readonly metrics?: Metrics
  readonly tenants: (job: JobRef) => Promise<readonly string[]>
  /** The tenants in which a job that reports due work has some. */
  readonly dueTenants: (job: JobRef) => Promise<readonly string[]>
  /** Runs a job's code with its refs resolved, as `system` in one tenant. `signal` is aborted when the run must end. */
  readonly runIn: (job: JobRef, plugin: string, tenantId: string, signal: AbortSignal) => Promise<unknown>
}

/** Runs due jobs once over all nodes. */
export interface JobRunner {
  /** Starts running every job at its interval, once over all nodes. */
  start(): void
  /** Begins no more runs, ends running ones and waits for them. Locks of this node are released. */
  stop(): Promise<void>
  /** Runs one job now over a principal's reach. The caller handles errors. */
  runFor(job: JobRef, principal: Principal): Promise<readonly JobRun<unknown>[]>
  runEverywhere(id: string): Promise<void>
}
