import { defineJob, now, tenantAdmin } from '@gateway/sdk'
import { entries } from './collections.ts'
import { isUnderLegalHold } from './legal-hold.ts'

/** Frees the space of what nobody can restore any more. The store’s own expiry would not ask for a legal hold. */
export const retention = defineJob('trash.retention', {
  everySeconds: 86_400,
  uses: { entries, tenants: tenantAdmin },
  async run({ entries, tenants }, { tenantId }) {
    if (await isUnderLegalHold(tenants, tenantId)) return { purged: 0 }
    return { purged: await entries.deleteMany({ purgeAfter: { lte: now() } }) }
  },
})
