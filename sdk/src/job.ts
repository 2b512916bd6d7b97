import type { CollectionRef } from './collection/declaration.ts'
import type { Filter } from './collection/filter.ts'
import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'

/** Outcome of a job in one tenant. */
export interface JobRun<Result> {
  readonly tenantId: string
  readonly result: Result
}

/** A job as a tool sees it. */
export interface JobHandle<Result> {
  /**
   * Runs the job now over the caller's reach: its own tenant for a tenant's caller, every tenant for `system` and `operator`. A
   * `gatewayWide` job runs once.
   */
  run(): Promise<readonly JobRun<Result>[]>
}

/**
 * Background work, run in each tenant at an interval: on one node of all that share the store, with a missed run caught up
 * once. In one process there is one run at a time per tenant; a manual run joins it.
 *
 * A node that was paused for longer than its lock lives is replaced by another. `ctx.signal` then ends the first node's run,
 * which may have written since, so a write that must not happen twice needs a condition.
 */
export interface JobRef<Result = unknown> extends Ref<'job', JobHandle<Result>> {
  /** Seconds between two runs; may be a fraction. A run begins up to a second late. */
  readonly everySeconds: number
  /** True if a run begins at each interval even while earlier ones continue, for a job that waits for work it starts. */
  readonly overlapping: boolean
  /** Skips tenants that are suspended. */
  readonly activeTenantsOnly: boolean
  /** Concerns the gateway itself: runs once, in the operator's own tenant, no matter which caller starts it. */
  readonly gatewayWide: boolean
  /** Skips tenants in which none of these finds a document; an empty list means every tenant. */
  readonly due: readonly DueIn[]
  readonly uses: Uses
  readonly run: (uses: never, ctx: CallContext) => Promise<Result>
}

/** Documents that are work for a job. */
export interface DueIn {
  readonly collection: CollectionRef
  readonly where: object
}

/**
 * Declares where a frequent job's work is found: each round queries once over all tenants and runs in those that have some, so
 * that idle tenants cost nothing. The filter begins with the keys of an index of the collection declared `acrossTenants`.
 */
export function dueIn<S extends ObjectSchema>(collection: CollectionRef<S>, where: Filter<Infer<S>>): DueIn {
  const [first] = Object.keys(where)
  if (!collection.indexes.some(({ keys, acrossTenants }) => acrossTenants && Object.keys(keys)[0] === first))
    throw new Error(`dueIn ${collection.id}: no index declared acrossTenants begins with ${String(first)}`)
  return { collection: collection as unknown as CollectionRef, where }
}

const JOB: MembersOf<typeof defineJob, 1> = {
  everySeconds: true,
  overlapping: true,
  activeTenantsOnly: true,
  gatewayWide: true,
  due: true,
  uses: true,
  run: true,
}

/** Declares a background job; list it in `jobs` of a plugin. */
export function defineJob<Result, const U extends Uses = Record<never, never>>(
  id: string,
  spec: {
    everySeconds: number
    overlapping?: boolean
    activeTenantsOnly?: boolean
    gatewayWide?: boolean
    due?: readonly DueIn[]
    uses?: U
    run: (uses: Resolved<U>, ctx: CallContext) => Promise<Result>
  },
): JobRef<Result> {
  refuseUnknown(`job ${id}`, spec, JOB)
  for (const { collection } of spec.due ?? []) {
    // Its collections must belong to its plugin.
    if (!Object.values(spec.uses ?? {}).some((ref) => ref.kind === 'collection' && ref.id === collection.id))
      throw new Error(`job ${id}: due in ${collection.id}, which it does not use`)
  }
  return {
    kind: 'job',
    id,
    everySeconds: spec.everySeconds,
    overlapping: spec.overlapping ?? false,
    activeTenantsOnly: spec.activeTenantsOnly ?? false,
    gatewayWide: spec.gatewayWide ?? false,
    due: spec.due ?? [],
    uses: spec.uses ?? {},
    run: spec.run as JobRef<Result>['run'],
  }
}
