import { closed, defineRoute, Forbidden, NotFound, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'

export const endOne = defineRoute({
  name: 'sign-in.end-one',
  description:
    'End a browser’s session: one of your own, or with the capability members any of the tenant’s; a token needs that scope. It is refused from the next call on. Returns its id.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/sign-ins/:sessionId',
  input: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ sessionId: Type.String() }, closed),
  uses: { sessions },
  async handle({ sessionId }, { sessions }, ctx) {
    const { id, scopes } = ctx.principal
    const isManager = ctx.holds('members')
    // A client acts in a person's name, and must not sign the person's browsers out.
    if (scopes !== undefined && !isManager) throw Forbidden({ message: 'A token needs the scope members to end a browser’s session.' })
    const found = await sessions.get(sessionId)
    // Its owner is not revealed either.
    if (!found || (found.callerId !== id && !isManager)) throw NotFound({ what: 'session', id: sessionId })
    await sessions.deleteOne(sessionId)
    ctx.audit('session.ended', { sessionId, who: found.callerId })
    return { sessionId }
  },
})
