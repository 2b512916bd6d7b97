import type { CollectionRef } from './collection/declaration.ts'
import type { Filter } from './collection/filter.ts'
import type { Sort } from './collection/query.ts'
import { now, type StoreTime } from './collection/store-time.ts'
import { atomically, type Transaction } from './collection/transaction.ts'
import type { ConfigRef } from './config.ts'
import { type Contribution, contribute, defineContribution } from './contribution.ts'
import { defineJob, type JobRef, type JobRun } from './job.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Resolved, Uses } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'
import { tenantAdmin } from './tenancy.ts'

/** What one retention removed, by tenant. */
export type Purged = readonly JobRun<{ readonly purged: number }>[]
/** A retention that runs by hand as well, over the caller’s reach. */
export interface RetentionRun {
  readonly id: string
  run(): Promise<Purged>
}
/** Every `defineRetention` takes part, so that one call purges all families. */
export const retentionRuns = defineContribution<RetentionRun>('gateway.retention-runs')
/** Has a retention take part: listed in `contributes` beside the job in `jobs`. */
export const byHand = (job: JobRef<{ purged: number }>): Contribution =>
  contribute(retentionRuns, { uses: { job }, create: ({ job: { run } }) => ({ id: job.id, run }) })

/** Which documents are past their time, in an order that an index gives. */
export interface PastRetention<Doc> {
  readonly where: Filter<Doc>
  readonly sort: Sort<Doc>
}

const DAY_SECONDS = 86_400
/** Few enough that other writers hardly wait, and that the documents fit into memory. */
const BATCH = 100

/** `daysAgo(90)` in a filter: the store’s time so many days ago. */
export const daysAgo = (days: number): StoreTime => now(-days * DAY_SECONDS)

const RETENTION: MembersOf<typeof defineRetention, 1> = {
  collection: true,
  config: true,
  past: true,
  uses: true,
  purged: true,
}

/**
 * A job that removes what is past its retention, once a day, and says how much that was. A tenant under legal hold loses
 * nothing. For records that somebody may be asked for later; what only stops to mean something (a session, a rate that was
 * counted) has an expiring index, which asks for no hold.
 */
export function defineRetention<
  const S extends ObjectSchema,
  const C extends ObjectSchema = never,
  const U extends Uses = Record<never, never>,
>(
  id: string,
  spec: {
    collection: CollectionRef<S>
    /** The plugin’s settings, where they say how long. */
    config?: ConfigRef<C>
    past: (...settings: [C] extends [never] ? [] : [config: Infer<C>]) => PastRetention<Infer<S>>
    /** What `purged` may touch, under other names than those of the job itself. */
    uses?: U & { readonly [taken in 'documents' | 'tenants' | 'config' | 'atomically']?: never }
    /** Takes part in the transaction that removes some documents: removes with them what is kept only because of them. */
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
        // Asked for each batch: a hold may come while there is much to remove, and so may a stop.
        if (signal.aborted || (await tenants.isHeld(tenantId))) return { purged }
        const { items } = await documents.find({ where, sort, limit: BATCH })
        const ids = items.map((item) => (item as Readonly<Record<string, string>>)[key] as string)
        // On the condition again: one of them may have been changed in between.
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
