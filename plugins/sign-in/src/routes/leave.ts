import { closed, defineRawRoute, Forbidden, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { answer } from '../operations/answer.ts'
import { beforeCookie, dropBefore, dropSession, setSession } from '../rules/cookies.ts'
import { endedAnswer } from '../rules/session-http.ts'

/** The previous session ends at its own time, whatever its cookie says. */
const SECONDS = 43_200

export const leaveTenant = defineRawRoute({
  name: 'sign-in.leave',
  description:
    'End the operator’s view of a tenant: the session in the tenant ends, and the browser has its previous session again. Returns an empty object.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/sign-in/look',
  idleMs: 10_000,
  credential: 'caller',
  input: Type.Object({}, closed),
  http: endedAnswer,
  uses: { sessions },
  async handle(_input, { sessions }, { principal }, exchange) {
    const { headers } = exchange
    const looked = await sessions.deleteOne(principal.session ?? '', { lookedBy: { exists: true } })
    if (!looked) throw Forbidden({ message: 'The caller does not view a tenant.' })
    const before = beforeCookie(headers)
    answer(exchange, 200, {}, [before === undefined ? dropSession(headers) : setSession(headers, before, SECONDS), dropBefore(headers)])
  },
})
