import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'

export const endOne = defineRoute({
  name: 'sign-in.end-one',
  description:
    'End a browser’s session: one of your own, or with the capability members any of the tenant’s. It is refused from the next call on. Returns its id.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/sign-ins/:sessionId',
  input: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ sessionId: Type.String() }, closed),
  uses: { sessions },
  async handle({ sessionId }, { sessions }, ctx) {
    const found = await sessions.get(sessionId)
    // Its owner is not revealed either.
    if (!found || (found.callerId !== ctx.principal.id && !ctx.holds('members'))) throw NotFound({ what: 'session', id: sessionId })
    await sessions.deleteOne(sessionId)
    ctx.audit('session.ended', { sessionId, who: found.callerId })
    return { sessionId }
  },
})
