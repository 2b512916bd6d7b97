import { type Collection, type CollectionRef, type Filter, now, type Sort, type StoreTime } from './collection.ts'
import type { ConfigRef } from './config.ts'
import { defineJob, type JobRef } from './job.ts'
import type { Infer, ObjectSchema } from './schema.ts'
import { tenantAdmin } from './tenancy.ts'

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

/**
 * A job that removes what is past its retention, once a day, and says how much that was. A tenant under legal hold loses
 * nothing. For records that somebody may be asked for later; what only stops to mean something (a session, a rate that was
 * counted) has an expiring index, which asks for no hold.
 */
export function defineRetention<const S extends ObjectSchema, const C extends ObjectSchema = never>(
  id: string,
  {
    collection,
    config,
    past,
  }: { collection: CollectionRef<S>; config?: ConfigRef<C>; past: (config: Infer<C>) => PastRetention<Infer<S>> },
): JobRef<{ purged: number }> {
  return defineJob(id, {
    everySeconds: DAY_SECONDS,
    uses: { documents: collection, tenants: tenantAdmin, ...(config && { config }) },
    async run({ documents, tenants, config }, { tenantId }) {
      if (await tenants.isHeld(tenantId)) return { purged: 0 }
      return { purged: await removeAll(documents, collection.key, past(config as Infer<C>)) }
    },
  })
}

async function removeAll<Doc>(documents: Collection<Doc>, key: string, { where, sort }: PastRetention<Doc>): Promise<number> {
  for (let removed = 0; ; ) {
    const { items } = await documents.find({ where, sort, limit: BATCH })
    const ids = items.map((item) => item[key as keyof Doc])
    // Asked again: one of them may have been changed in between.
    removed += await documents.deleteMany({ and: [where, { [key]: { in: ids } }] } as Filter<Doc>)
    if (items.length < BATCH) return removed
  }
}
