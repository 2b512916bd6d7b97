import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { consentUses, readAsked, refusalUrl } from '../operations/consent.ts'
import { consenterOf, ENDS, endsWith } from '../rules/consenter.ts'
import { receiverOf } from '../rules/redirects.ts'
import { OAuthRefusal } from '../rules/refusal.ts'
import { SCOPES } from '../schema.ts'

export const showRequest = defineRoute({
  name: 'oauth.request',
  description:
    'Show the authorization request for the consent page. Returns the client and the scopes that the caller can grant, or the refusal.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /api/oauth/requests',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 8_000, description: 'Query of the authorization request.' })),
      userCode: Type.Optional(Type.String({ maxLength: 20, description: 'Code that a device shows.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      client: Type.Object({ id: Type.String(), name: Type.String() }, closed),
      redirectTo: Type.Optional(Type.String({ description: 'Address that receives the decision; absent for a device.' })),
      receiver: Type.Optional(Type.String({ description: 'Who is behind that address, for a person.' })),
      userCode: Type.Optional(Type.String()),
      scopes: Type.Array(Type.Enum(SCOPES)),
      tenantId: Type.String(),
      who: Type.String(),
      role: Type.String(),
      days: Type.Integer({ description: 'Lifetime of the grant, unless it is revoked.' }),
      endsWith: Type.Optional(Type.Enum(ENDS, { description: 'Credential of the person with which the grant ends before that.' })),
      refusal: Type.Optional(Type.String({ description: 'Address that tells the client why its request is refused.' })),
    },
    closed,
  ),
  uses: consentUses,
  async handle(input, refs, ctx) {
    const consenter = consenterOf(ctx.principal)
    const { role, label, callerId } = consenter
    const pending = await readAsked(refs, input, ctx)
    const { clientId: id, clientName: name, scopes, request, userCode } = pending
    const fault =
      request?.refusal ??
      (scopes.length === 0 ? new OAuthRefusal('access_denied', 'The role of the person has none of the scopes.') : undefined)
    const refusal = fault && refusalUrl(pending, fault)
    return {
      client: { id, name },
      ...(request && { redirectTo: request.redirectUri, receiver: receiverOf(request.redirectUri) }),
      ...(userCode !== undefined && { userCode }),
      scopes: [...scopes],
      tenantId: ctx.tenantId,
      who: label ?? callerId,
      role,
      days: refs.config.grantDays,
      ...defined({ endsWith: endsWith(consenter) }),
      ...(refusal !== undefined && { refusal }),
    }
  },
})
