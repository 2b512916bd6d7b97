import { closed, defineRoute, Forbidden, NotFound, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'

export const revokeGrant = defineRoute({
  name: 'oauth.revoke',
  description:
    'Revoke a client’s access: one the caller granted, or with the capability members any of the tenant’s; a token needs that scope. Its tokens are refused from the next call on. Returns its id.',
  capability: 'read',
  effect: 'write',
  rest: 'DELETE /api/oauth/grants/:grantId',
  input: Type.Object({ grantId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ grantId: Type.String() }, closed),
  uses: { grants },
  async handle({ grantId }, { grants }, ctx) {
    const { id, scopes } = ctx.principal
    const isManager = ctx.holds('members')
    // A client acts in a person's name, and must not end what the person gave to others.
    if (scopes !== undefined && !isManager)
      throw Forbidden({
        message: 'A token needs the scope members to revoke a client; a client ends its own access at POST /oauth/revoke.',
      })
    const found = await grants.get(grantId)
    // Its owner is not revealed either.
    if (!found || (found.callerId !== id && !isManager)) throw NotFound({ what: 'grant', id: grantId })
    await grants.deleteOne(grantId)
    ctx.audit('oauth.revoked', { grantId, clientId: found.clientId, who: found.callerId })
    return { grantId }
  },
})
