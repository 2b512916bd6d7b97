import { daysAgo, defineRetention } from '@gateway/sdk'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'

/** A conversation is removed as a whole. */
export const retention = defineRetention('sessions.retention', {
  collection: sessions,
  config,
  past: ({ retentionDays }) => ({ where: { updatedAt: { lt: daysAgo(retentionDays) } }, sort: { updatedAt: 1 } }),
  uses: { messages },
  async purged(gone, { messages }, tx) {
    for (const { sessionId } of gone) await messages.in(tx).deleteMany({ sessionId })
  },
})
