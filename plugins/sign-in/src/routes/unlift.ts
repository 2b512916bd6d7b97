import { closed, defineRoute, Forbidden, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { shown } from '../rules/who.ts'
import { Session } from '../schema.ts'

export const unliftSession = defineRoute({
  name: 'sign-in.unlift',
  description: 'End the session’s use of the operator’s routes. Returns the session.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/sign-in/lift',
  input: Type.Object({}, closed),
  output: Type.Object({ session: Session }, closed),
  uses: { sessions },
  async handle(_input, { sessions }, { principal, tenantId }) {
    const session = await sessions.updateOne(principal.session ?? '', { unset: ['liftedUntil'] })
    if (!session) throw Forbidden({ message: 'The caller is not signed in.' })
    return { session: shown(session, tenantId, principal.session) }
  },
})
