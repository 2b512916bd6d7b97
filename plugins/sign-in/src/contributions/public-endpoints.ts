import { type CallContext, contribute, type PublicAnswer, type PublicRequest, publicEndpoints, type Resolved } from '@gateway/sdk'
import { acceptWithKey } from '../operations/accept-with-key.ts'
import { admit, findInvitation, memberPrincipal, signedInMember } from '../operations/admit.ts'
import { keep, newSession } from '../operations/begin.ts'
import { tenantsOfPerson, tenantsOfPersonUses } from '../operations/tenants-of-person.ts'
import { attemptCookie, newAttempt, readAttempt, safeReturn } from '../rules/attempt.ts'
import { dropBefore, sessionCookie, setSession } from '../rules/cookies.ts'
import { faultPage, json, redirect } from '../rules/page.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import { signInProviders } from '../services/providers.ts'

const uses = { ...tenantsOfPersonUses, providers: signInProviders }
type Refs = Resolved<typeof uses>

const CALLBACK = '/oauth/callback/'

/**
 * Sign-in through a provider. The page sends the browser away with `POST /oauth/sign-in`, and the provider sends it back to
 * `/oauth/callback/<id>`, where the session begins.
 */
export const signInEndpoints = contribute(publicEndpoints, {
  uses,
  create: (refs, ctx) => ({
    async answer(request) {
      const { method, path } = request
      if (method === 'GET' && path === '/oauth/providers') return json(200, { providers: refs.providers.shown })
      if (method === 'GET' && path === '/oauth/tenants') return json(200, await tenantsOfPerson(refs, sessionCookie(request.headers), ctx))
      if (method === 'GET' && path.startsWith(CALLBACK)) return callBack(refs, request, ctx)
      if (method !== 'POST' || !(path === '/oauth/sign-in' || path === '/oauth/invitation' || path === '/oauth/invitation/key'))
        return undefined
      try {
        const form = readForm(request)
        if (path === '/oauth/sign-in') return await begin(refs, form, request, ctx)
        if (path === '/oauth/invitation') return await showInvitation(refs, form, ctx)
        return json(201, await acceptWithKey(refs, form.invitation ?? '', request.audit, ctx))
      } catch (error) {
        if (error instanceof SignInRefusal) return json(error.status, { error: error.message })
        throw error
      }
    },
  }),
})

type Form = Readonly<Record<string, string | undefined>>
function readForm({ query, headers, body }: PublicRequest): Form {
  if (query !== '' || !/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'])))
    throw new SignInRefusal('The body must be application/x-www-form-urlencoded, without a query.', 400)
  return Object.fromEntries(new URLSearchParams(body))
}

/**
 * A foreign page must not begin a sign-in: the browser would end up as somebody else. Accepting an invitation needs its secret,
 * and no cookie.
 */
const isOwnPage = ({ headers: { origin, 'sec-fetch-site': site } }: PublicRequest, publicUrl: string): boolean =>
  site === undefined ? origin === publicUrl : site === 'same-origin'

async function begin(
  { providers }: Refs,
  { provider = '', return_to: back, invitation, tenant }: Form,
  request: PublicRequest,
  ctx: CallContext,
): Promise<PublicAnswer> {
  const { publicUrl } = providers
  const client = providers.of(provider)
  if (client === undefined || publicUrl === undefined)
    throw new SignInRefusal(`provider must be one of ${providers.shown.map(({ id }) => id).join(', ') || '(none is configured)'}.`, 400)
  if (!isOwnPage(request, publicUrl))
    throw new SignInRefusal('The request must come from a page of this gateway: Sec-Fetch-Site must be same-origin.')
  const given = { ...(invitation && { invitation: invitation.slice(0, 200) }), ...(tenant && { tenantId: tenant.slice(0, 64) }) }
  const attempt = newAttempt({ provider, returnTo: safeReturn(back), ...given }, ctx.now().getTime())
  return json(200, { redirectTo: await client.authorizationUrl(attempt, ctx) }, [attemptCookie(publicUrl, attempt)])
}

async function showInvitation(refs: Refs, { invitation = '' }: Form, ctx: CallContext): Promise<PublicAnswer> {
  const { tenantId, found } = await findInvitation(refs, invitation, ctx)
  const { role, email, expiresAt } = found
  return json(200, { tenantId, role, ...(email !== undefined && { email }), expiresAt, providers: refs.providers.shown })
}

/** The provider sends the browser here with a code, or with its refusal. Its cookie says which sign-in this is. */
async function callBack(refs: Refs, { path, query, headers, audit }: PublicRequest, ctx: CallContext): Promise<PublicAnswer | undefined> {
  const { providers } = refs
  const { publicUrl } = providers
  const provider = path.slice(CALLBACK.length)
  const client = providers.of(provider)
  if (client === undefined || publicUrl === undefined) return undefined
  const answer = new URLSearchParams(query)
  const once = (name: string): string | undefined => (answer.getAll(name).length === 1 ? (answer.get(name) ?? undefined) : undefined)
  const now = ctx.now().getTime()
  const attempt = readAttempt(publicUrl, headers.cookie, { provider, state: once('state') ?? '', now })
  const ended = attemptCookie(publicUrl, undefined)
  if (!attempt) return faultPage(400, 'This sign-in was not begun in this browser, or more than ten minutes ago.', '/dashboard/', [ended])
  try {
    const code = once('code')
    if (code === undefined) {
      const reason = once('error')?.slice(0, 100) ?? 'no code'
      throw new SignInRefusal(`The provider answers: ${reason}. ${once('error_description')?.slice(0, 300) ?? ''}`)
    }
    const person = await client.identify({ code, iss: once('iss') }, attempt, ctx)
    const admitted = await admit(refs, person, attempt, audit, ctx)
    const { tenantId, member } = admitted
    const begun = newSession(
      signedInMember(member),
      { tenantId, seconds: refs.config.sessionHours * 3_600, client: headers['user-agent'] },
      ctx,
    )
    await keep(refs.sessions.of(tenantId), begun.session, ctx)
    audit({ name: 'session.begun', principal: memberPrincipal(admitted), details: { sessionId: begun.session.sessionId, by: provider } })
    const own = publicUrl.startsWith('https:') ? { 'x-forwarded-proto': 'https' } : {}
    // The dashboard then asks which tenant is meant; the page of a request has a field for it.
    const place = admitted.hasChoice && attempt.returnTo.startsWith('/dashboard') ? `${attempt.returnTo}#tenant` : attempt.returnTo
    return redirect(place, [ended, setSession(own, begun.ticket, begun.seconds), dropBefore(own)])
  } catch (error) {
    if (error instanceof SignInRefusal) return faultPage(error.status, error.message, attempt.returnTo, [ended])
    throw error
  }
}
