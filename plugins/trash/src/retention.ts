import { defineJob, now, tenantAdmin } from '@gateway/sdk'
import { entries } from './collections.ts'
import { isUnderLegalHold } from './legal-hold.ts'

/** Few enough that other writers hardly wait, and that their payloads fit into memory. */
const BATCH = 100

/** Frees the space of what nobody can restore any more. The store’s own expiry would not ask for a legal hold. */
export const retention = defineJob('trash.retention', {
  everySeconds: 86_400,
  uses: { entries, tenants: tenantAdmin },
  async run({ entries, tenants }, { tenantId }) {
    if (await isUnderLegalHold(tenants, tenantId)) return { purged: 0 }
    const past = { purgeAfter: { lte: now() } } as const
    for (let purged = 0; ; ) {
      const { items } = await entries.find({ where: past, sort: { purgeAfter: 1 }, limit: BATCH })
      purged += await entries.deleteMany({ ...past, trashId: { in: items.map(({ trashId }) => trashId) } })
      if (items.length < BATCH) return { purged }
    }
  },
})
