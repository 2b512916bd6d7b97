import outgoing from '@gateway/plugin-outgoing'
import tenants from '@gateway/plugin-tenants'
import type { Plugin } from '@gateway/sdk'
import { type InjectResponse, startTestGateway, type TestGateway, type TestGatewayOptions, testClock } from '@gateway/testing'
import signIn from '../src/index.ts'
import { CLIENT_ID, CLIENT_SECRET, type Issuer, type Person, startIssuer } from './issuer.ts'
import { ADMIN, ask, type Headers, jar, PAGE } from './support.ts'

export const PUBLIC = 'http://localhost'

/** A gateway with the providers `company` (OpenID Connect) and `hub` (GitHub) on one loopback server, and the tenant acme. */
export async function startWithProviders(
  admit: readonly object[] = [],
  {
    provider = {},
    plugins = [],
    config = {},
    env = {},
  }: { provider?: object; plugins?: readonly Plugin[]; config?: TestGatewayOptions['config']; env?: Readonly<Record<string, string>> } = {},
) {
  const clock = testClock()
  const issuer = await startIssuer(() => clock.now())
  const of = { issuer: issuer.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const starting = startTestGateway({
    clock,
    plugins: [tenants, outgoing, signIn, ...plugins],
    env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on', GATEWAY_PUBLIC_URL: PUBLIC, GATEWAY_ALLOWED_ORIGINS: PUBLIC, ...env },
    config: {
      ...config,
      'sign-in': { providers: { company: { ...of, name: 'Company', ...provider }, hub: { ...of, kind: 'github', name: 'GitHub' } }, admit },
    },
  })
  starting.catch(() => issuer[Symbol.asyncDispose]())
  const gateway = await starting
  await gateway.tenants.create({ name: 'acme', plan: 'team', tenantId: 'acme' })
  const stop = async (): Promise<void> => {
    await gateway.stop()
    await issuer[Symbol.asyncDispose]()
  }
  return { gateway, issuer, [Symbol.asyncDispose]: stop }
}

export const form = (
  gateway: TestGateway,
  path: string,
  fields: Record<string, string>,
  headers: Headers = PAGE,
): Promise<InjectResponse> =>
  gateway.inject({
    method: 'POST',
    url: path,
    headers: { 'x-forwarded-for': '10.0.0.1', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

/** A browser that has been sent to the provider. */
export interface Away {
  readonly authorization: string
  readonly headers: Headers
}
export async function away(gateway: TestGateway, fields: Record<string, string> = {}): Promise<Away> {
  const response = await form(gateway, '/oauth/sign-in', { provider: 'company', ...fields })
  if (response.status !== 200) throw new Error(`${response.status} ${response.body}`)
  return { authorization: response.json().redirectTo, headers: jar(response) }
}

export const back = (gateway: TestGateway, { headers }: Pick<Away, 'headers'>, query: URLSearchParams, provider = 'company') =>
  ask(gateway, 'GET', `/oauth/callback/${provider}?${query}`, headers)

/** The whole way of a person through the provider. */
export async function signInAs(
  { gateway, issuer }: { gateway: TestGateway; issuer: Issuer },
  person: Person,
  fields: Record<string, string> = {},
): Promise<InjectResponse> {
  const begun = await away(gateway, fields)
  return back(gateway, begun, issuer.decide(begun.authorization, person), fields.provider)
}

export const ADA: Person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff', 'ops'] } }
/** Sentence of the page that refuses. */
export const faultOf = ({ body }: InjectResponse): string => /role="alert">([^<]*)</.exec(body)?.[1] ?? ''
