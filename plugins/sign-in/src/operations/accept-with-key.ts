import type { CallContext, Principal, PublicRecord, Resolved } from '@gateway/sdk'
import { SignInRefusal } from '../rules/refusal.ts'
import type { SignInProviders } from '../services/providers.ts'
import { type admitUses, findInvitation } from './admit.ts'

type Refs = Pick<Resolved<typeof admitUses>, 'invitations' | 'tenants'> & { readonly providers: Pick<SignInProviders, 'shown'> }

/**
 * Accepts an invitation where no provider is configured: the person gets an API key, which is shown only here. With a provider the
 * person signs in through it, so that an address can be checked and access ends with the membership.
 */
export async function acceptWithKey(
  refs: Refs,
  text: string,
  audit: (record: PublicRecord) => void,
  ctx: Pick<CallContext, 'now'>,
): Promise<{ apiKey: string; keyId: string; tenantId: string }> {
  if (refs.providers.shown.length > 0) throw new SignInRefusal('invitation is accepted by signing in through a provider.', 409)
  const { tenantId, found } = await findInvitation(refs, text, ctx)
  const { hash, invitationId, role, email } = found
  if (!(await refs.invitations.of(tenantId).deleteOne(hash))) throw new SignInRefusal('invitation was accepted a moment ago.')
  const label = email ?? invitationId
  const issued = await refs.tenants.issueKey(tenantId, { role, environment: 'live', label })
  const principal: Principal = { id: `key:${issued.keyId}`, kind: 'api-key', role, tenantId, label }
  audit({ name: 'invitation.accepted', principal, details: { invitationId, keyId: issued.keyId, role } })
  return { ...issued, tenantId }
}
