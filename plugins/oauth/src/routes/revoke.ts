import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'

export const revokeGrant = defineRoute({
  name: 'oauth.revoke',
  description:
    'Revoke a client’s access: one the caller granted, or with the capability members any of the tenant’s. Its tokens are refused from the next call on. Returns its id.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/oauth/grants/:grantId',
  input: Type.Object({ grantId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ grantId: Type.String() }, closed),
  uses: { grants },
  async handle({ grantId }, { grants }, ctx) {
    const found = await grants.get(grantId)
    // Its owner is not revealed either.
    if (!found || (found.callerId !== ctx.principal.id && !ctx.holds('members'))) throw NotFound({ what: 'grant', id: grantId })
    await grants.deleteOne(grantId)
    ctx.audit('oauth.revoked', { grantId, clientId: found.clientId, who: found.callerId })
    return { grantId }
  },
})
