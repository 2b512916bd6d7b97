import { defineJob, isToolError, NotFound, now, provide, type TenantAdmin, tenantAdmin } from '@gateway/sdk'
import { planRetention } from './api.ts'
import { planDays } from './collections.ts'
import { config } from './config.ts'
import type { DayStatus } from './schema.ts'

const DAY_SECONDS = 86_400
/** Nobody waits for such a day any more, once its time is over. */
const TERMINAL: readonly DayStatus[] = ['done', 'blocked', 'disabled']

export const retentionProvider = provide(planRetention, {
  uses: { planDays, config, tenants: tenantAdmin },
  create: ({ planDays, config, tenants }, { tenantId }) => ({
    async purge() {
      if (await isHeld(tenants, tenantId)) return 0
      const past = { lt: now(-config.retentionDays * DAY_SECONDS) }
      return planDays.deleteMany({ status: { in: TERMINAL }, fireAt: past, updatedAt: past })
    },
  }),
})

export const retention = defineJob('plans.retention', {
  everySeconds: DAY_SECONDS,
  uses: { retention: planRetention },
  async run({ retention }) {
    return { purged: await retention.purge() }
  },
})

/** A tenant that has no record was never put under hold. */
async function isHeld(tenants: TenantAdmin, tenantId: string): Promise<boolean> {
  try {
    return (await tenants.get(tenantId)).legalHold
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return false
    throw error
  }
}
