import { provide, throughout } from '@gateway/sdk'
import { consenters } from '../api.ts'
import { members, sessions } from '../collections.ts'

export const consentersProvider = provide(consenters, {
  uses: { sessions: throughout(sessions), members: throughout(members) },
  create: ({ sessions, members }, ctx) => ({
    async stand(tenantId, { sessionId, memberId }) {
      const session = sessionId === undefined ? undefined : await sessions.of(tenantId).get(sessionId)
      if (sessionId !== undefined && (session === undefined || session.expiresAt <= ctx.now().toISOString())) return false
      return memberId === undefined || (await members.of(tenantId).get(memberId)) !== undefined
    },
  }),
})
