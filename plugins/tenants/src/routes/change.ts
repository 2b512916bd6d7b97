import { closed, defineRoute, ifUpdatedAt, Type } from '@gateway/sdk'
import { oneTenant, Plan, targetTenantId } from '../schema.ts'

export const changeTenant = defineRoute({
  ...oneTenant,
  name: 'tenants.change',
  description: 'Change a tenant’s plan or its legal hold. Returns the tenant.',
  effect: 'write',
  rest: 'PATCH /api/tenants/:targetTenantId',
  input: Type.Object(
    {
      targetTenantId,
      plan: Type.Optional(Plan),
      legalHold: Type.Optional(
        Type.Boolean({
          description:
            'Keeps the tenant out of every purge; rings of records (logs, traces, artifacts, past runs) still drop their oldest.',
        }),
      ),
      ifUpdatedAt,
    },
    closed,
  ),
  handle: async ({ targetTenantId, plan, legalHold, ifUpdatedAt }, { tenants }) => ({
    tenant: await tenants.change(targetTenantId, { plan, legalHold }, ifUpdatedAt),
  }),
})
