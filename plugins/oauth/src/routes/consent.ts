import { BadRequest, closed, defineRoute, Type } from '@gateway/sdk'
import { consentUses, keepCode, readAsked, refusalUrl } from '../operations/consent.ts'
import { consenterOf } from '../rules/consenter.ts'
import { withResult } from '../rules/redirects.ts'
import { OAuthRefusal } from '../rules/refusal.ts'
import { isWithin } from '../rules/scopes.ts'
import { SCOPES } from '../schema.ts'

const denied = new OAuthRefusal('access_denied', 'The person has refused.')

export const consent = defineRoute({
  name: 'oauth.consent',
  description:
    'Grant a client access as the caller, or refuse it. Returns the address to send the browser to, or the approval of a device.',
  capability: 'read',
  effect: 'write',
  rest: 'POST /api/oauth/consents',
  status: 201,
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 8_000, description: 'Query of the authorization request.' })),
      userCode: Type.Optional(Type.String({ maxLength: 20, description: 'Code that a device shows.' })),
      scopes: Type.Array(Type.Enum(SCOPES), {
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'Granted scopes; an empty list refuses.',
      }),
    },
    closed,
  ),
  output: Type.Object(
    { redirectTo: Type.Optional(Type.String({ secret: true })), approval: Type.Optional(Type.String({ secret: true })) },
    closed,
  ),
  uses: consentUses,
  async handle({ scopes, ...asked }, refs, ctx) {
    consenterOf(ctx.principal)
    const pending = await readAsked(refs, asked, ctx)
    const { issuer: iss, request, clientId } = pending
    const refusal = request?.refusal ?? (request && scopes.length === 0 ? denied : undefined)
    const refused = refusal && refusalUrl(pending, refusal)
    if (refused !== undefined) return { redirectTo: refused }
    if (!isWithin(scopes, pending.scopes))
      throw BadRequest({ field: 'scopes', message: `\`scopes\` must be among the requested scopes: ${pending.scopes.join(', ')}.` })
    const code = await keepCode(refs, pending, scopes, ctx)
    ctx.audit(scopes.length === 0 ? 'oauth.refused' : 'oauth.consented', { clientId, scopes })
    return request ? { redirectTo: withResult(request.redirectUri, { code, state: request.state, iss }) } : { approval: code }
  },
})
