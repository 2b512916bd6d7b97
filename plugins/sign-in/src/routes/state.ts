import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { shown } from '../rules/who.ts'
import { Session } from '../schema.ts'

export const stateOfSession = defineRoute({
  name: 'sign-in.state',
  description: 'Returns who the caller is, and the session of its browser, if it signed in.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/sign-in',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      signedIn: Type.Boolean(),
      session: Type.Union([Session, Type.Null()]),
      principal: Type.Object({ id: Type.String(), kind: Type.String(), label: Type.Optional(Type.String()) }, closed),
      role: Type.String(),
      tenantId: Type.String(),
      lift: Type.Object(
        {
          until: Type.Union([Type.String(), Type.Null()]),
          secondsLeft: Type.Union([Type.Integer({ description: 'Remaining time, for clients whose clock differs.' }), Type.Null()]),
        },
        closed,
      ),
    },
    closed,
  ),
  uses: { sessions },
  async handle(_input, { sessions }, ctx) {
    const { principal, tenantId } = ctx
    const { id, kind, label, role, session: sessionId } = principal
    const found = sessionId === undefined ? undefined : await sessions.get(sessionId)
    const end = Date.parse(found?.liftedUntil ?? '')
    const secondsLeft = Math.ceil((end - ctx.now().getTime()) / 1_000)
    const isLifted = secondsLeft > 0
    return {
      signedIn: found !== undefined,
      session: found ? shown(found, tenantId, sessionId) : null,
      principal: { id, kind, ...defined({ label }) },
      role,
      tenantId,
      lift: isLifted ? { until: new Date(end).toISOString(), secondsLeft } : { until: null, secondsLeft: null },
    }
  },
})
