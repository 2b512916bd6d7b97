import { isUnderLegalHold } from '@gateway/plugin-trash/api'
import { defineJob, now, provide, tenantAdmin } from '@gateway/sdk'
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
      if (await isUnderLegalHold(tenants, tenantId)) return 0
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
