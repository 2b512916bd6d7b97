import { Conflict, closed, defineRawRoute, Type, tenantAdmin, throughout } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { answer } from '../operations/answer.ts'
import { keep, newSession } from '../operations/begin.ts'
import { sessionCookie, setBefore, setSession } from '../rules/cookies.ts'
import { sessionAnswer } from '../rules/session-http.ts'
import { shown } from '../rules/who.ts'

const SECONDS = 3_600

export const lookAtTenant = defineRawRoute({
  name: 'sign-in.look',
  description:
    'Let the operator view a tenant: for an hour the browser is signed in there, as a viewer by default. Returns the session, and sets its cookie.',
  capability: 'operator',
  effect: 'write',
  rest: 'POST /api/sign-in/look/:targetTenantId',
  idleMs: 10_000,
  credential: 'admin',
  input: Type.Object(
    {
      targetTenantId: Type.String({ minLength: 1, maxLength: 64 }),
      role: Type.Optional(Type.Enum(['viewer', 'member', 'admin', 'owner'], { default: 'viewer' })),
    },
    closed,
  ),
  http: sessionAnswer(201),
  uses: { tenants: tenantAdmin, everywhere: throughout(sessions) },
  async handle({ targetTenantId, role = 'viewer' }, { tenants, everywhere }, ctx, exchange) {
    const { status } = await tenants.get(targetTenantId)
    if (status !== 'active') throw Conflict({ message: `Tenant ${targetTenantId} is ${status}, so no caller can act for it.` })
    const { headers } = exchange
    const who = { callerId: 'operator', kind: 'user', role, lookedBy: ctx.principal.session ?? ctx.principal.id } as const
    const begun = newSession(who, { tenantId: targetTenantId, seconds: SECONDS, client: headers['user-agent'] }, ctx)
    await keep(everywhere.of(targetTenantId), begun.session, ctx)
    ctx.audit('session.look', { targetTenantId, role, sessionId: begun.session.sessionId })
    const before = sessionCookie(headers)
    const cookies = [setSession(headers, begun.ticket, SECONDS), ...(before === undefined ? [] : [setBefore(headers, before, SECONDS)])]
    answer(exchange, 201, { session: shown(begun.session, targetTenantId, begun.session.sessionId) }, cookies)
  },
})
