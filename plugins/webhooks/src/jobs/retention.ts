import { daysAgo, defineRetention } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { config } from '../config.ts'

/** Waiting deliveries have not ended and stay. */
export const retention = defineRetention('webhooks.retention', {
  collection: deliveries,
  config,
  past: ({ retentionDays }) => ({ where: { endedAt: { lt: daysAgo(retentionDays) } }, sort: { endedAt: 1 } }),
})
