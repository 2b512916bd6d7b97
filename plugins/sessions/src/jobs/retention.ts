import { daysAgo, defineRetention } from '@gateway/sdk'
import { sessionIndex } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'

/** A conversation is removed as a whole. */
export const retention = defineRetention('sessions.retention', {
  collection: sessions,
  config,
  past: ({ retentionDays }) => ({ where: { updatedAt: { lt: daysAgo(retentionDays) } }, sort: { updatedAt: 1 } }),
  uses: { messages, indexes: sessionIndex },
  async purged(gone, { messages, indexes }, tx) {
    for (const { sessionId } of gone) {
      await messages.in(tx).deleteMany({ sessionId })
      for (const index of indexes) await index.due(sessionId, tx)
    }
  },
})
