import { daysAgo, defineRetention } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { config } from '../config.ts'

/** Removes swarms that are done or stopped, the configured number of days after their last change. Their tasks have their own retention. */
export const retention = defineRetention('swarms.retention', {
  collection: swarms,
  config,
  past: ({ retentionDays }) => ({
    where: { status: { in: ['done', 'stopped'] }, updatedAt: { lt: daysAgo(retentionDays) } },
    sort: { status: 1, updatedAt: 1 },
  }),
})
