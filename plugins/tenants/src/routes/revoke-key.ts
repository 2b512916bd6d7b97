import { closed, defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { KeyResult, keyId, operatorRoute, targetTenantId } from '../schema.ts'

export const revokeKey = defineRoute({
  ...operatorRoute,
  name: 'tenants.revoke-key',
  description: 'Revoke one API key: it is refused from the next call on, and schedules made with it end. Returns the key as it was.',
  effect: 'destructive',
  rest: 'DELETE /api/tenants/:targetTenantId/keys/:keyId',
  input: Type.Object({ targetTenantId, keyId }, closed),
  output: KeyResult,
  uses: { tenants: tenantAdmin },
  async handle({ targetTenantId, keyId }, { tenants }, ctx) {
    const key = await tenants.revokeKey(targetTenantId, keyId)
    ctx.audit('key.revoked', { targetTenantId, keyId, label: key.label })
    return { key }
  },
})
