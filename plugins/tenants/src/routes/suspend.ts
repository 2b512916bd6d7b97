import { closed, defineRoute, Type } from '@gateway/sdk'
import { oneTenant, targetTenantId } from '../schema.ts'

export const suspend = defineRoute({
  ...oneTenant,
  name: 'tenants.suspend',
  description: 'Suspend a tenant, as the tool tenant_suspend does. Returns the tenant.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/suspend',
  input: Type.Object({ targetTenantId, reason: Type.Optional(Type.String({ maxLength: 500 })) }, closed),
  handle: async ({ targetTenantId, reason }, { tenants }) => ({ tenant: await tenants.suspend(targetTenantId, reason) }),
})
