import { defineRoute } from '@gateway/sdk'
import { oneTenant } from '../schema.ts'

export const reactivate = defineRoute({
  ...oneTenant,
  name: 'tenants.reactivate',
  description: 'Make a tenant active again, as the tool tenant_reactivate does. Returns the tenant.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/reactivate',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.reactivate(targetTenantId) }),
})
