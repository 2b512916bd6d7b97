import { closed, defineRoute, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { shown } from '../rules/who.ts'
import { Session } from '../schema.ts'

const MAX = 1_000

export const listSessions = defineRoute({
  name: 'sign-in.list',
  description: 'List the signed-in browsers, latest first: the caller’s own, or with the capability members all of the tenant’s.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/sign-ins',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), sessions: Type.Array(Session) }, closed),
  uses: { sessions },
  async handle(_input, { sessions }, ctx) {
    const own = ctx.holds('members') ? {} : { callerId: ctx.principal.id }
    const where = { ...own, expiresAt: { gt: ctx.now().toISOString() } }
    const { items } = await sessions.find({ where, sort: { createdAt: -1 }, limit: MAX })
    return { count: items.length, sessions: items.map((one) => shown(one, ctx.tenantId, ctx.principal.session)) }
  },
})
