import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import outgoing from '@gateway/plugin-outgoing'
import signIn from '@gateway/plugin-sign-in'
import tenants from '@gateway/plugin-tenants'
import type { Plugin } from '@gateway/sdk'
import { type InjectResponse, startTestGateway, type TestGateway } from '@gateway/testing'
import oauth from '../src/index.ts'

export const ADMIN = 'the-admin-token-of-the-tests'
export const ISSUER = 'http://localhost'
const FAR = { 'x-forwarded-for': '10.0.0.1' }
type Headers = Record<string, string>

export const start = (env: Record<string, string> = {}, plugins: readonly Plugin[] = [], config: object = {}): Promise<TestGateway> =>
  startTestGateway({
    plugins: [tenants, outgoing, signIn, oauth, ...plugins],
    // All requests of a test come from one address.
    config: { oauth: { clientsPerAddress: 5_000, devicesPerAddress: 1_000, ...config } },
    env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on', GATEWAY_PUBLIC_URL: ISSUER, GATEWAY_OAUTH_REGISTRATION: 'true', ...env },
  })

export const ask = (gateway: TestGateway, method: string, url: string, headers: Headers = {}, body?: unknown): Promise<InjectResponse> =>
  gateway.inject({ method, url, headers: { ...FAR, ...headers }, ...(body !== undefined && { body }) })

export const form = (gateway: TestGateway, path: string, fields: Record<string, string>, headers: Headers = {}): Promise<InjectResponse> =>
  ask(gateway, 'POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, new URLSearchParams(fields).toString())

export async function keyOf(gateway: TestGateway, { tenantId = 'acme', role = 'owner' } = {}): Promise<{ keyId: string; apiKey: string }> {
  await gateway.tenants.create({ name: tenantId, plan: 'team', tenantId }).catch(() => {})
  return gateway.tenants.issueKey(tenantId, { role: role as 'owner', environment: 'live' })
}

/** Headers of a browser that signed in with a key. */
export async function browserOf(gateway: TestGateway, apiKey: string): Promise<Headers> {
  const { headers } = await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': apiKey })
  const cookies = [headers['set-cookie'] ?? []].flat().map(String)
  const session = cookies.find((cookie) => cookie.startsWith('gateway_session='))?.split(';')[0] as string
  return { cookie: session, 'sec-fetch-site': 'same-origin' }
}

export const REDIRECT = 'https://client.example/callback'
export async function registered(gateway: TestGateway, redirects: readonly string[] = [REDIRECT]): Promise<string> {
  const metadata = { client_name: 'Example client', redirect_uris: redirects }
  const response = await ask(gateway, 'POST', '/oauth/register', { 'content-type': 'application/json' }, JSON.stringify(metadata))
  return response.json().client_id as string
}

export interface Pair {
  readonly verifier: string
  readonly challenge: string
}
export function pkce(): Pair {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const queryOf = (clientId: string, { challenge }: Pair, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the-state',
    resource: `${ISSUER}/mcp`,
    scope: 'read work',
    ...more,
  }).toString()

export const consent = (gateway: TestGateway, browser: Headers, query: string, scopes = ['read', 'work']): Promise<InjectResponse> =>
  ask(gateway, 'POST', '/api/oauth/consents', browser, { query, scopes })

export interface Flow {
  readonly gateway: TestGateway
  readonly browser: Headers
  readonly clientId: string
}

/** A code that a person gave a client, and the fields with which it is redeemed. */
export async function codeFor({ gateway, browser, clientId }: Flow, scopes = ['read', 'work'], more: Record<string, string> = {}) {
  const pair = pkce()
  const answer = (await consent(gateway, browser, queryOf(clientId, pair, { scope: scopes.join(' '), ...more }), scopes)).json()
  const code = new URL(answer.redirectTo).searchParams.get('code') as string
  return { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: REDIRECT, code_verifier: pair.verifier }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}
export async function tokensFor(flow: Flow, scopes?: string[]): Promise<Tokens> {
  return (await form(flow.gateway, '/oauth/token', await codeFor(flow, scopes))).json()
}

export const refresh = (
  gateway: TestGateway,
  clientId: string,
  token: string,
  more: Record<string, string> = {},
): Promise<InjectResponse> =>
  form(gateway, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...more })

/** The caller that a token makes: `member of acme`, or the code of the refusal. */
export async function whoIs(gateway: TestGateway, token: string): Promise<string> {
  const answer = (await ask(gateway, 'GET', '/api/auth/whoami', { authorization: `Bearer ${token}` })).json()
  return answer.code ?? `${answer.role} of ${answer.tenantId}`
}

export async function flow(gateway: TestGateway, options: { tenantId?: string; role?: string } = {}): Promise<Flow & { keyId: string }> {
  const { apiKey, keyId } = await keyOf(gateway, options)
  return { gateway, keyId, browser: await browserOf(gateway, apiKey), clientId: await registered(gateway) }
}

/** A loopback server with one JSON document at every path, which may say its own address. */
export async function documentServer(document: (url: string) => { status?: number; headers?: Headers; body: unknown }) {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    const { status = 200, headers = {}, body } = document(`http://127.0.0.1:${(server.address() as AddressInfo).port}${request.url}`)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked: () => asked, [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())) }
}
