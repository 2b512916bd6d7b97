import { closed, contribute, statusFacts, Type } from '@gateway/sdk'
import { sessionCounts } from '../api.ts'
import { MAX_COUNT } from '../services/counts.ts'

const count = Type.Integer({ minimum: 0, maximum: MAX_COUNT })

export const sessionFacts = contribute(statusFacts, {
  uses: { counts: sessionCounts },
  create: ({ counts }) => ({
    schema: { sessions: Type.Object({ total: count, active: count }, closed) },
    unread: { sessions: { total: 0, active: 0 } },
    read: async () => ({ sessions: { ...(await counts.read()) } }),
  }),
})
