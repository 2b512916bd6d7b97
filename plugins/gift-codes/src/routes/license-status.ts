import { closed, defineRoute, findTenant, gatewayInfo, Type, tenantAdmin, tenantStatuses } from '@gateway/sdk'
import { redemptions } from '../collections.ts'
import { Plan } from '../schema.ts'

/** The gateway needs no key to run: this reports its own licence, and the tenant's plan. */
export const licenseStatus = defineRoute({
  name: 'gift-codes.license-status',
  description: 'Show the licence of the gateway and the plan of the caller’s tenant. Returns both, and the last gift that was redeemed.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/license/status',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      license: Type.String(),
      keyRequired: Type.Boolean(),
      version: Type.String(),
      tenantId: Type.String(),
      plan: Type.Optional(Plan),
      status: Type.Enum(tenantStatuses),
      gift: Type.Optional(Type.Object({ plan: Plan, redeemedAt: Type.String() }, closed)),
    },
    closed,
  ),
  uses: { gateway: gatewayInfo, tenants: tenantAdmin, redemptions },
  async handle(_, { gateway, tenants, redemptions }, { tenantId }) {
    // The local tenant, and one that only a session token names, has no record and no plan.
    const tenant = await findTenant(tenants, tenantId)
    const [last] = (await redemptions.find({ where: { redeemedAt: { exists: true } }, sort: { redeemedAt: -1 }, limit: 1 })).items
    const gift = last?.redeemedAt !== undefined && { gift: { plan: last.plan, redeemedAt: last.redeemedAt } }
    const own = { tenantId, ...(tenant && { plan: tenant.plan }), status: tenant?.status ?? ('active' as const) }
    return { license: 'MIT', keyRequired: false, version: gateway.version, ...own, ...gift }
  },
})
