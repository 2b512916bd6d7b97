import { defineRoute } from '@gateway/sdk'
import { oneTenant } from '../schema.ts'

export const requestErasure = defineRoute({
  ...oneTenant,
  name: 'tenants.request-erasure',
  description:
    'Request the erasure of a tenant, which happens after its grace period. Asking again keeps the first request. Returns the tenant.',
  effect: 'destructive',
  rest: 'POST /api/tenants/:targetTenantId/erasure',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.requestErasure(targetTenantId) }),
})
