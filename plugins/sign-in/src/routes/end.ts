import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { answer } from '../operations/answer.ts'
import { dropBefore, dropSession } from '../rules/cookies.ts'
import { endedAnswer } from '../rules/session-http.ts'

export const endSession = defineRawRoute({
  name: 'sign-in.end',
  description:
    'Sign the browser out: its session ends, and its cookie is deleted. Returns an empty object; without a session it changes nothing.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/sign-in',
  idleMs: 10_000,
  credential: 'caller',
  input: Type.Object({}, closed),
  http: endedAnswer,
  uses: { sessions },
  async handle(_input, { sessions }, { principal }, exchange) {
    if (principal.session !== undefined) await sessions.deleteOne(principal.session)
    answer(exchange, 200, {}, [dropSession(exchange.headers), dropBefore(exchange.headers)])
  },
})
