import type { Metrics } from '@gateway/metrics'
import type { JobRef, JobRun, Plugin, Principal } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'

/** What a job runner is given of the gateway whose jobs it runs. */
export interface JobParts {
  readonly plugins: readonly Plugin[]
  readonly store: Store
  readonly log: Logger
  readonly metrics?: Metrics
  /** The tenants a job runs for. */
  readonly tenants: (job: JobRef) => Promise<readonly string[]>
  /** Those of them where a job that says what is due has something to do. */
  readonly dueTenants: (job: JobRef) => Promise<readonly string[]>
  /** Runs a job’s code with its refs resolved, as `system` in one tenant. `signal` is aborted when the run is to end. */
  readonly runIn: (job: JobRef, plugin: string, tenantId: string, signal: AbortSignal) => Promise<unknown>
}

/** Runs jobs when they are due, once over all nodes. */
export interface JobRunner {
  /** Begin to run every job at its interval, once over all nodes. */
  start(): void
  /** Begin no more runs, end those under way and wait for them; what this node had locked is free. */
  stop(): Promise<void>
  /** Run one job now over a principal’s reach. Faults are the caller’s. */
  runFor(job: JobRef, principal: Principal): Promise<readonly JobRun<unknown>[]>
  /** Run a job by id in every tenant. */
  runEverywhere(id: string): Promise<void>
}
