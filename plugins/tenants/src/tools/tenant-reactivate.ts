import { defineTool, tenantAdmin } from '@gateway/sdk'
import { Target, TenantResult } from '../schema.ts'

export const tenantReactivate = defineTool({
  name: 'tenant_reactivate',
  description:
    'Make a suspended tenant active again and clear a pending cancellation. Returns the tenant. Reactivating an active one changes nothing.',
  capability: 'operator',
  effect: 'write',
  idempotent: true,
  input: Target,
  output: TenantResult,
  uses: { tenants: tenantAdmin },
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.reactivate(targetTenantId) }),
})
