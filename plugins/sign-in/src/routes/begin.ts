import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { answer } from '../operations/answer.ts'
import { begin, beginUses } from '../operations/begin.ts'
import { dropBefore, setSession } from '../rules/cookies.ts'
import { sessionAnswer } from '../rules/session-http.ts'
import { shown, signedInAs } from '../rules/who.ts'

export const beginSession = defineRawRoute({
  name: 'sign-in.begin',
  description: 'Sign a browser in with the API key, or the local token, of this one request. Returns the session, and sets its cookie.',
  capability: 'read',
  effect: 'write',
  rest: 'POST /api/sign-in',
  idleMs: 10_000,
  credential: 'caller',
  input: Type.Object({}, closed),
  http: sessionAnswer(201),
  uses: beginUses,
  async handle(_input, refs, ctx, exchange) {
    const { headers } = exchange
    const { session, ticket, seconds } = await begin(refs, signedInAs(ctx.principal), headers['user-agent'], ctx)
    ctx.audit('session.begun', { sessionId: session.sessionId })
    const cookies = [setSession(headers, ticket, seconds), dropBefore(headers)]
    answer(exchange, 201, { session: shown(session, ctx.tenantId, session.sessionId) }, cookies)
  },
})
