import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'

/** A job’s outcome in one tenant. */
export interface JobRun<Result> {
  readonly tenantId: string
  readonly result: Result
}

/** A job as a tool sees it. */
export interface JobHandle<Result> {
  /** Run it now over the caller’s reach: the own tenant for a tenant’s caller, every tenant for `system` and `operator`. */
  run(): Promise<readonly JobRun<Result>[]>
}

/**
 * Work that runs by itself, in each tenant at each interval: on one node of all that share the store, and a missed run is caught
 * up once. In one process there is one run at a time per tenant; a run by hand joins it.
 *
 * A node that was paused for longer than its lock lives is followed by another. `ctx.signal` then ends the first one's run,
 * which may have written since: what must not happen twice is written on a condition.
 */
export interface JobRef<Result = unknown> extends Ref<'job', JobHandle<Result>> {
  /** Seconds between two runs; may be a fraction. A run begins up to a second late. */
  readonly everySeconds: number
  /** A run begins at each interval, also while earlier ones go on: for a job that waits for what it sets off. */
  readonly overlapping: boolean
  /** Not run for a tenant while it is suspended. */
  readonly activeTenantsOnly: boolean
  readonly uses: Uses
  readonly run: (uses: never, ctx: CallContext) => Promise<Result>
}

const JOB: MembersOf<typeof defineJob, 1> = { everySeconds: true, overlapping: true, activeTenantsOnly: true, uses: true, run: true }

/** Declare work that runs by itself; listed in `jobs` of a plugin. */
export function defineJob<Result, const U extends Uses = Record<never, never>>(
  id: string,
  spec: {
    everySeconds: number
    overlapping?: boolean
    activeTenantsOnly?: boolean
    uses?: U
    run: (uses: Resolved<U>, ctx: CallContext) => Promise<Result>
  },
): JobRef<Result> {
  refuseUnknown(`job ${id}`, spec, JOB)
  return {
    kind: 'job',
    id,
    everySeconds: spec.everySeconds,
    overlapping: spec.overlapping ?? false,
    activeTenantsOnly: spec.activeTenantsOnly ?? false,
    uses: spec.uses ?? {},
    run: spec.run as JobRef<Result>['run'],
  }
}
