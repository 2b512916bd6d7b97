import { Conflict, closed, defineRawRoute, Type } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { codes } from '../collections.ts'
import { answer } from '../operations/answer.ts'
import { begin, beginUses } from '../operations/begin.ts'
import { dropBefore, setSession } from '../rules/cookies.ts'
import { sessionAnswer } from '../rules/session-http.ts'
import { shown } from '../rules/who.ts'

export const exchangeCode = defineRawRoute({
  name: 'sign-in.code',
  description: 'Sign a browser in with a one-use code, sent as Bearer. Returns the session, and sets its cookie.',
  capability: 'read',
  effect: 'write',
  rest: 'POST /api/sign-in/code/:owner',
  idleMs: 10_000,
  credential: 'own',
  input: Type.Object({ owner: Type.String({ maxLength: 64 }) }, closed),
  http: sessionAnswer(201),
  uses: { ...beginUses, codes },
  async handle(_input, { codes, ...refs }, ctx, exchange) {
    const { headers } = exchange
    const hash = hashOf(String(headers.authorization).replace(/^Bearer +/i, ''))
    const code = await codes.get(hash)
    if (!code || !(await codes.deleteOne(hash))) throw Conflict({ message: 'This code was used a moment ago.' })
    const { hash: _hash, createdAt: _createdAt, expiresAt: _expiresAt, ...who } = code
    const { session, ticket, seconds } = await begin(refs, who, headers['user-agent'], ctx)
    ctx.audit('session.begun', { sessionId: session.sessionId, by: 'code' })
    const cookies = [setSession(headers, ticket, seconds), dropBefore(headers)]
    answer(exchange, 201, { session: shown(session, ctx.tenantId, session.sessionId) }, cookies)
  },
})
