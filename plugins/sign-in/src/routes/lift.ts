import { closed, defineRawRoute, Forbidden, Type, throughout } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import { sessions } from '../collections.ts'
import { answer } from '../operations/answer.ts'
import { readTicket, sessionCookie } from '../rules/cookies.ts'
import { sessionAnswer } from '../rules/session-http.ts'
import { shown } from '../rules/who.ts'

const MINUTES = 15

export const liftSession = defineRawRoute({
  name: 'sign-in.lift',
  description:
    'Let the browser’s session use the operator’s routes for 15 minutes, without the token that this request carries. Returns the session.',
  capability: 'operator',
  effect: 'write',
  rest: 'POST /api/sign-in/lift',
  idleMs: 10_000,
  credential: 'admin',
  input: Type.Object({}, closed),
  http: sessionAnswer(200),
  uses: { everywhere: throughout(sessions) },
  async handle(_input, { everywhere }, ctx, exchange) {
    const { headers } = exchange
    // A lifted session must not lift itself again.
    if (headers['x-admin-token'] === undefined) throw Forbidden({ message: '`X-Admin-Token` must be the operator’s token.' })
    const ticket = readTicket(sessionCookie(headers))
    const now = ctx.now()
    const own = ticket && everywhere.of(ticket.tenantId)
    const found = ticket && (await own?.get(ticket.sessionId))
    if (!found || !matches(ticket.secret, found.hash) || found.expiresAt <= now.toISOString())
      throw Forbidden({ message: 'Sign in first: only a session can use the operator’s routes.' })
    const liftedUntil = new Date(now.getTime() + MINUTES * 60_000).toISOString()
    const session = (await own?.updateOne(found.sessionId, { set: { liftedUntil } })) ?? found
    ctx.audit('session.lifted', { sessionId: found.sessionId, of: ticket.tenantId, who: found.callerId })
    answer(exchange, 200, { session: shown(session, ticket.tenantId, found.sessionId) }, [])
  },
})
