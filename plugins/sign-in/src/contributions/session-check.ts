import { contribute, defined, sessionCheck, tenantAdmin } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import { members, sessions } from '../collections.ts'

/** Reads the store each time: a session ended on one node is void on all of them with the next call. */
export const sessionsCheck = contribute(sessionCheck, {
  uses: { sessions, members, keys: tenantAdmin },
  create: ({ sessions, members, keys }, ctx) => ({
    async check(ticket) {
      const [sessionId = '', secret = '', ...more] = ticket.split(':')
      if (more.length > 0) return undefined
      const found = await sessions.get(sessionId)
      const now = ctx.now().toISOString()
      if (!found || !matches(secret, found.hash) || found.expiresAt <= now) return undefined
      const { callerId: id, kind, label, keyId, memberId, liftedUntil = '' } = found
      if (keyId !== undefined && !(await keys.standingKey(ctx.tenantId, keyId))) return undefined
      const member = memberId === undefined ? undefined : await members.get(memberId)
      if (memberId !== undefined && !member) return undefined
      // A changed role of a member holds at once.
      const role = member?.role ?? found.role
      const principal = { id, kind, role, tenantId: ctx.tenantId, session: sessionId, ...defined({ label }) }
      return { principal, isLifted: liftedUntil > now }
    },
  }),
})
