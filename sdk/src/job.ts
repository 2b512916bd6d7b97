import type { CollectionRef } from './collection/declaration.ts'
import type { Filter } from './collection/filter.ts'
import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'

/** A job’s outcome in one tenant. */
export interface JobRun<Result> {
  readonly tenantId: string
  readonly result: Result
}

/** A job as a tool sees it. */
export interface JobHandle<Result> {
  /** Run it now over the caller’s reach: the own tenant for a tenant’s caller, every tenant for `system` and `operator`. One that is `gatewayWide` is run once, for whoever may call what runs it. */
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
  /** Concerns the gateway itself: run once, in the operator’s own tenant, whoever asks for a run. */
  readonly gatewayWide: boolean
  /** Not run by itself for a tenant where none of these finds a document; none: it is run in every tenant. */
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
 * Says where the work of a job that runs often lies: each round asks once over all tenants, and runs in those that have some, so
 * that idle tenants cost nothing. The filter leads with the keys of an index of the collection declared `acrossTenants`.
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

/** Declare work that runs by itself; listed in `jobs` of a plugin. */
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
    // What it uses is checked to be its plugin’s own.
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
