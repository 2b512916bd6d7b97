import { daysAgo, defineRetention } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { config } from '../config.ts'

/** Removes messages that nobody has acked: their receiver is gone, the configured number of days after they were sent. */
export const unreadRetention = defineRetention('mailbox.unread-retention', {
  collection: messages,
  config,
  past: ({ unreadRetentionDays }) => ({
    where: { acked: false, createdAt: { lt: daysAgo(unreadRetentionDays) } },
    sort: { acked: 1, createdAt: 1 },
  }),
})
