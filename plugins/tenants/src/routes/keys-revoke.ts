import { closed, defineRoute, NotFound, Type, tenantAdmin } from '@gateway/sdk'
import { requireRank } from '../rules/giving.ts'
import { KeyResult, keyId } from '../schema.ts'

export const revokeOwnKey = defineRoute({
  name: 'keys.revoke',
  description:
    'Revoke an API key of your tenant, of at most your role: it is refused from the next call on, and schedules made with it end. Returns the key as it was.',
  capability: 'members',
  effect: 'destructive',
  rest: 'DELETE /api/keys/:keyId',
  input: Type.Object({ keyId }, closed),
  output: KeyResult,
  uses: { tenants: tenantAdmin },
  async handle({ keyId }, { tenants }, ctx) {
    const standing = await tenants.standingKey(ctx.tenantId, keyId)
    if (!standing) throw NotFound({ what: 'key', id: keyId })
    requireRank(ctx.principal, standing.role, 'revoke')
    const key = await tenants.revokeKey(ctx.tenantId, keyId)
    ctx.audit('key.revoked', { keyId, label: key.label })
    return { key }
  },
})
