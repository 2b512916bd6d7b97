import { type Answer, send } from './api.ts'
import type { InvitationView, ProviderView } from './contract.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Providers through which people sign in; none if the gateway has none configured. */
export async function signInProviders(): Promise<readonly ProviderView[]> {
  const answer = await send({ method: 'GET', url: '/oauth/providers' })
  return answer.ok ? (answer.data as { readonly providers: readonly ProviderView[] }).providers : []
}

/** Sends the browser to a provider; it returns to this page. Returns a refusal, and nothing if the browser leaves. */
export async function leaveFor(
  provider: string,
  more: { readonly invitation?: string; readonly tenant?: string } = {},
): Promise<Answer | undefined> {
  const fields = { provider, return_to: location.pathname + location.search, ...more }
  const answer = await send({ method: 'POST', url: '/oauth/sign-in', body: new URLSearchParams(fields).toString() }, undefined, FORM)
  if (!answer.ok) return answer
  location.assign((answer.data as { readonly redirectTo: string }).redirectTo)
  return undefined
}

const about = (secret: string): string => new URLSearchParams({ invitation: secret }).toString()

export async function readInvitation(secret: string): Promise<InvitationView | undefined> {
  const answer = await send({ method: 'POST', url: '/oauth/invitation', body: about(secret) }, undefined, FORM)
  return answer.ok ? (answer.data as InvitationView) : undefined
}

/** Accepts an invitation where there is no provider. */
export function acceptWithKey(secret: string): Promise<Answer> {
  return send({ method: 'POST', url: '/oauth/invitation/key', body: about(secret) }, undefined, FORM)
}
