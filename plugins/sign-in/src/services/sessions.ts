import { provide } from '@gateway/sdk'
import { browserSessions } from '../api.ts'
import { sessions } from '../collections.ts'

export const browserSessionsProvider = provide(browserSessions, {
  uses: { sessions },
  create: ({ sessions }, ctx) => ({
    async stands(sessionId) {
      const found = await sessions.get(sessionId)
      return found !== undefined && found.expiresAt > ctx.now().toISOString()
    },
  }),
})
