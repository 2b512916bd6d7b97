import { daysAgo, defineRetention } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { config } from '../config.ts'

/** What waits has not ended, and stays. */
export const retention = defineRetention('webhooks.retention', {
  collection: deliveries,
  config,
  past: ({ retentionDays }) => ({ where: { endedAt: { lt: daysAgo(retentionDays) } }, sort: { endedAt: 1 } }),
})
