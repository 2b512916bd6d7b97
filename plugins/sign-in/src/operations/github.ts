import type { Outgoing, OutgoingCaller } from '@gateway/plugin-outgoing/api'
import { challengeOf } from '../rules/attempt.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import { askJson, askObject, type Json } from './http-json.ts'
import { isEmail } from './oidc.ts'
import type { ProviderClient, ProviderSetup } from './provider-client.ts'

const PUBLIC = 'https://github.com'
const SCOPES = ['read:user', 'user:email', 'read:org']
/** Length of a page of GitHub's lists; further organizations and teams are not read. */
const PAGE = 100
const MAX_NAME = 100

/**
 * GitHub, whose OAuth has no ID token: the person is read from its API. Its answers name no issuer, so the redirect address,
 * which no other provider has, tells them from those of others (RFC 9700, 4.4.2.2).
 */
export function githubClient(outgoing: Outgoing, { id, config, redirectUri }: ProviderSetup): ProviderClient {
  const { issuer: server = PUBLIC, clientId, clientSecret, scopes = SCOPES } = config
  const api = server === PUBLIC ? 'https://api.github.com' : `${server.replace(/\/$/, '')}/api/v3`
  return {
    async authorizationUrl(attempt) {
      const url = new URL(`${server.replace(/\/$/, '')}/login/oauth/authorize`)
      const query = {
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state: attempt.state,
        code_challenge: challengeOf(attempt),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    async identify({ code }, { verifier }, caller) {
      const form = {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
      const { access_token: token } = await askObject(
        outgoing,
        { url: `${server.replace(/\/$/, '')}/login/oauth/access_token`, form },
        caller,
      )
      if (typeof token !== 'string') throw new SignInRefusal('GitHub sent no token.', 502)
      const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }
      const user = await askObject(outgoing, { url: `${api}/user`, headers }, caller)
      if (typeof user.id !== 'number' || typeof user.login !== 'string') throw new SignInRefusal('GitHub named no user.', 502)
      const list = async (path: string): Promise<readonly Json[]> =>
        listed(outgoing, { url: `${api}${path}?per_page=${PAGE}`, headers }, caller)
      const [emails, organizations, teams] = await Promise.all([list('/user/emails'), list('/user/orgs'), list('/user/teams')])
      const primary = emails.find(({ primary, verified }) => primary === true && verified === true)?.email
      return {
        provider: id,
        issuer: server,
        // The login may pass to somebody else; the id stays.
        subject: String(user.id),
        name: (typeof user.name === 'string' && user.name !== '' ? user.name : user.login).slice(0, MAX_NAME),
        ...(typeof primary === 'string' && isEmail(primary) && { email: primary }),
        groups: [...organizations.map(({ login }) => String(login)), ...teams.flatMap(teamName)],
        claims: user,
      }
    },
  }
}

/** A list that the token may not read counts as empty: then no rule for it admits the person. */
async function listed(
  outgoing: Outgoing,
  request: { url: string; headers: Readonly<Record<string, string>> },
  caller: OutgoingCaller,
): Promise<readonly Json[]> {
  const { status, body } = await askJson(outgoing, request, caller)
  if (status !== 200 || !Array.isArray(body)) return []
  return body.filter((item): item is Json => typeof item === 'object' && item !== null)
}

function teamName({ slug, organization }: Json): readonly string[] {
  const { login } = (organization ?? {}) as Json
  return typeof slug === 'string' && typeof login === 'string' ? [`${login}/${slug}`] : []
}
