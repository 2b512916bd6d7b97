import { defineRoute, tenantAdmin } from '@gateway/sdk'
import { KeysResult, operatorRoute, Target } from '../schema.ts'

export const listKeys = defineRoute({
  ...operatorRoute,
  name: 'tenants.list-keys',
  description:
    'For the operator: list a tenant’s API keys, oldest first, with label, role, and the times of creation, last use and expiry. Never the keys themselves.',
  effect: 'read',
  rest: 'GET /api/tenants/:targetTenantId/keys',
  input: Target,
  output: KeysResult,
  uses: { tenants: tenantAdmin },
  async handle({ targetTenantId }, { tenants }) {
    const keys = [...(await tenants.listKeys(targetTenantId))]
    return { count: keys.length, keys }
  },
})
