import { closed, defineTool, Type, tenantAdmin } from '@gateway/sdk'
import { TenantResult, targetTenantId } from '../schema.ts'

export const tenantSuspend = defineTool({
  name: 'tenant_suspend',
  description:
    'Suspend a tenant: from the next call on every one of its callers is refused, and its open streams end. Returns the tenant. Suspending it again changes nothing.',
  capability: 'operator',
  effect: 'write',
  idempotent: true,
  input: Type.Object(
    { targetTenantId, reason: Type.Optional(Type.String({ maxLength: 500, description: 'Reason, kept with the tenant.' })) },
    closed,
  ),
  output: TenantResult,
  uses: { tenants: tenantAdmin },
  handle: async ({ targetTenantId, reason }, { tenants }) => ({ tenant: await tenants.suspend(targetTenantId, reason) }),
})
