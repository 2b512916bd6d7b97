import { defineRoute } from '@gateway/sdk'
import { oneTenant } from '../schema.ts'

export const cancelTenant = defineRoute({
  ...oneTenant,
  name: 'tenants.cancel',
  description:
    'Cancel a tenant: it is purged after its grace period, unless it is reactivated. Cancelling again keeps the first time. Returns the tenant.',
  effect: 'destructive',
  rest: 'POST /api/tenants/:targetTenantId/cancel',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.cancel(targetTenantId) }),
})
