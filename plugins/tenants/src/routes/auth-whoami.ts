import { entitlements } from '@gateway/plugin-entitlements/api'
import { closed, defineRoute, findTenant, optional, planWithoutRecord, Type, tenantAdmin } from '@gateway/sdk'

const CAPABILITIES = ['read', 'work', 'configure', 'members', 'billing', 'operator'] as const

const amount = Type.Union([Type.Number(), Type.Null()])
const limit = Type.Object(
  { limit: amount, used: amount, remaining: amount, resetsAt: Type.Optional(Type.String()) },
  { ...closed, description: 'null: unlimited, or not counted.' },
)

export const whoami = defineRoute({
  name: 'auth.whoami',
  description: 'Returns the identity of the caller: tenant, plan, role and capabilities. Use it to test a key.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/auth/whoami',
  input: Type.Object({}, closed),
  output: Type.Object({
    tenantId: Type.String(),
    tenantName: Type.String(),
    plan: Type.String(),
    role: Type.String(),
    principal: Type.Object({ id: Type.String(), kind: Type.String() }, closed),
    capabilities: Type.Array(Type.String()),
    quota: Type.Record(Type.String(), limit, { description: 'Limits of the plan; empty while no plugin meters them.' }),
  }),
  uses: { tenants: tenantAdmin, plan: optional(entitlements) },
  async handle(_, { tenants, plan }, ctx) {
    const { id, kind, role } = ctx.principal
    const [tenant, allowed] = await Promise.all([findTenant(tenants, ctx.tenantId), plan?.snapshot()])
    return {
      tenantId: ctx.tenantId,
      tenantName: tenant?.name ?? ctx.tenantId,
      plan: tenant?.plan ?? planWithoutRecord,
      role,
      principal: { id, kind },
      capabilities: CAPABILITIES.filter((capability) => ctx.holds(capability)),
      quota: { ...allowed?.limits },
    }
  },
})
