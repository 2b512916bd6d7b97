import type { CollectionRef } from './collection/declaration.ts'
import type { Filter } from './collection/filter.ts'
import type { Sort } from './collection/query.ts'
import { now, type StoreTime } from './collection/store-time.ts'
import { atomically, type Transaction } from './collection/transaction.ts'
import type { ConfigRef } from './config.ts'
import { type Contribution, contribute, defineContribution } from './contribution.ts'
import { DAY_SECONDS } from './durations.ts'
import { defineJob, type JobRef, type JobRun } from './job.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'
import { tenantAdmin } from './tenancy.ts'

/** Number of removed documents of one retention, by tenant. */
export type Purged = readonly JobRun<{ readonly purged: number }>[]
/** A retention that can also be run by hand, over the caller's reach. */
export interface RetentionRun {
  readonly id: string
  run(): Promise<Purged>
}
/** Every `defineRetention` takes part, so that one call purges all families. */
export const retentionRuns = defineContribution<RetentionRun>('gateway.retention-runs')
/** Adds a retention to the manual purge: list it in `contributes` next to the job in `jobs`. */
export const byHand = (job: JobRef<{ purged: number }>): Contribution =>
  contribute(retentionRuns, { uses: { job }, create: ({ job: { run } }) => ({ id: job.id, run }) })

/** Selects documents past their retention, in an order that an index provides. */
export interface PastRetention<Doc> {
  readonly where: Filter<Doc>
  readonly sort: Sort<Doc>
}

/** Small enough that other writers hardly wait and that the documents fit into memory. */
const BATCH = 100

/** `daysAgo(90)` in a filter: the store's time this many days ago. */
export const daysAgo = (days: number): StoreTime => now(-days * DAY_SECONDS)

const RETENTION: MembersOf<typeof defineRetention, 1> = {
  collection: true,
  config: true,
  past: true,
  uses: true,
  purged: true,
}

/**
 * Declares a job that removes documents past their retention once a day and reports their number. A tenant under legal hold
 * loses nothing. Use it for records that may be asked for later; data that merely becomes meaningless (a session, a counted
 * rate) has an expiring index, which ignores legal hold.
 */
export function defineRetention<
  const S extends ObjectSchema,
  const C extends ObjectSchema = never,
  const U extends Uses = Record<never, never>,
>(
  id: string,
  spec: {
    collection: CollectionRef<S>
    /** Settings of the plugin, if they decide the retention. */
    config?: ConfigRef<C>
    past: (...settings: [C] extends [never] ? [] : [config: Infer<C>]) => PastRetention<Infer<S>>
    /** Refs that `purged` may touch, under names different from those of the job itself. */
    uses?: U & { readonly [taken in 'documents' | 'tenants' | 'config' | 'atomically']?: never }
    /** Takes part in the transaction that removes documents, to remove records that are kept only because of them. */
    purged?: (documents: readonly Infer<S>[], uses: Resolved<U>, tx: Transaction) => Promise<void>
  },
): JobRef<{ purged: number }> {
  refuseUnknown(`retention ${id}`, spec, RETENTION)
  const { key } = spec.collection
  return defineJob(id, {
    everySeconds: DAY_SECONDS,
    uses: { ...spec.uses, documents: spec.collection, tenants: tenantAdmin, atomically, ...(spec.config && { config: spec.config }) },
    async run({ documents, tenants, atomically, config, ...uses }, { tenantId, signal }) {
      const { where, sort } = (spec.past as (config: unknown) => PastRetention<Infer<S>>)(config)
      for (let purged = 0; ; ) {
        // Checked for each batch: a hold or a stop may come while much is left to remove.
        if (signal.aborted || (await tenants.isHeld(tenantId))) return { purged }
        const { items } = await documents.find({ where, sort, limit: BATCH })
        const ids = items.map((item) => (item as Readonly<Record<string, string>>)[key] as string)
        // The condition is repeated, because a document may have changed in between.
        purged += spec.purged
          ? await atomically(async (tx) => {
              const removed = []
              for (const id of ids) removed.push(await documents.in(tx).deleteOne(id, where))
              const gone = removed.filter((document) => document !== undefined)
              await spec.purged?.(gone, uses as unknown as Resolved<U>, tx)
              return gone.length
            })
          : await documents.deleteMany({ and: [where, { [key]: { in: ids } }] } as Filter<Infer<S>>)
        if (items.length < BATCH) return { purged }
      }
    },
  })
}
