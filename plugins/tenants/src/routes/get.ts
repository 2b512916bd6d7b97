import { defineRoute } from '@gateway/sdk'
import { oneTenant } from '../schema.ts'

export const getTenant = defineRoute({
  ...oneTenant,
  name: 'tenants.get',
  description: 'Returns one tenant, for the operator.',
  effect: 'read',
  rest: 'GET /api/tenants/:targetTenantId',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.get(targetTenantId) }),
})
