import { provide } from '@gateway/sdk'
import { browserSessions } from '../api.ts'
import { members as collection, sessions } from '../collections.ts'

export const browserSessionsProvider = provide(browserSessions, {
  uses: { sessions, members: collection },
  create: ({ sessions, members }, ctx) => ({
    members: collection,
    async stands(sessionId) {
      const found = await sessions.get(sessionId)
      return found !== undefined && found.expiresAt > ctx.now().toISOString()
    },
    roleOfMember: async (memberId) => (await members.get(memberId))?.role,
  }),
})
