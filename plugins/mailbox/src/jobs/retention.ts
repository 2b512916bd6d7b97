import { daysAgo, defineRetention } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { config } from '../config.ts'

/** Removes acked messages, the configured number of days after they were sent. */
export const retention = defineRetention('mailbox.retention', {
  collection: messages,
  config,
  past: ({ retentionDays }) => ({
    where: { acked: true, createdAt: { lt: daysAgo(retentionDays) } },
    sort: { acked: 1, createdAt: 1 },
  }),
})
