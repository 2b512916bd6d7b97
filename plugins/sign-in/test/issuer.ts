import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const CLIENT_ID = 'gateway-at-the-issuer'
export const CLIENT_SECRET = 'secret of the gateway: at the issuer'

/** A person at the issuer, and deviations from a correct issuer. */
export interface Person {
  readonly sub: string
  readonly claims?: Readonly<Record<string, unknown>>
  /** Members of the user information; absent claims are in the ID token alone. */
  readonly userinfo?: Readonly<Record<string, unknown>>
  /** Changes the ID token before it is signed. */
  readonly tamper?: (claims: JWTPayload) => JWTPayload
  /** Signs with a key that the issuer does not publish. */
  readonly foreignKey?: boolean
  readonly algorithm?: 'HS256' | 'none'
}

interface Begun {
  readonly person: Person
  readonly query: URLSearchParams
}

/**
 * An OpenID Connect issuer and a GitHub server on the loopback, as far as a sign-in uses them: HTTP, PKCE, client authentication and
 * signed tokens are real.
 */
export async function startIssuer(now: () => number) {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const foreign = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, Begun>()
  const tokens = new Map<string, Begun>()
  let metadata: Readonly<Record<string, unknown>> = {}
  let visitor: Person | undefined

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function decide(authorization: string, person: Person): URLSearchParams {
    const { searchParams: query } = new URL(authorization)
    const code = randomUUID()
    codes.set(code, { person, query })
    return new URLSearchParams({ code, state: query.get('state') ?? '', ...(query.has('nonce') && { iss: url }) })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url)
    const send = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const bearer = tokens.get(String(request.headers.authorization).replace(/^Bearer /, ''))
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return send(200, {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          userinfo_endpoint: `${url}/userinfo`,
          authorization_response_iss_parameter_supported: true,
          ...metadata,
        })
      case '/authorize': {
        // The visitor of a real browser is signed in at the issuer already.
        const query = visitor && decide(new URL(request.url ?? '', url).href, visitor)
        const back = new URL(request.url ?? '', url).searchParams.get('redirect_uri') ?? url
        return query ? void response.writeHead(302, { location: `${back}?${query}` }).end() : send(401, {})
      }
      case '/jwks':
        return send(200, { keys: [jwk] })
      case '/token':
      case '/login/oauth/access_token':
        return token(request, send, pathname === '/token')
      case '/userinfo':
        return bearer ? send(200, { sub: bearer.person.sub, ...bearer.person.userinfo }) : send(401, {})
      case '/api/v3/user':
        return bearer ? send(200, { id: Number(bearer.person.sub), login: 'ada', name: 'Ada', ...bearer.person.claims }) : send(401, {})
      case '/api/v3/user/emails':
        return send(200, [
          { email: 'old@elsewhere.example', primary: false, verified: true },
          { email: 'ada@example.com', primary: true, verified: bearer?.person.claims?.verified !== false },
        ])
      case '/api/v3/user/orgs':
        return send(200, [{ login: 'example-org' }])
      case '/api/v3/user/teams':
        return send(200, [{ slug: 'platform', organization: { login: 'example-org' } }])
      default:
        return send(404, {})
    }
  }

  async function token(request: IncomingMessage, send: (status: number, body: unknown) => void, isOidc: boolean): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const begun = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      begun !== undefined &&
      begun.query.get('code_challenge') === challenge &&
      begun.query.get('redirect_uri') === form.get('redirect_uri') &&
      isClient(request, form)
    // GitHub refuses with status 200.
    if (!isRight) return send(isOidc ? 400 : 200, { error: 'invalid_grant', error_description: 'not this code' })
    const accessToken = randomUUID()
    tokens.set(accessToken, begun)
    send(200, { access_token: accessToken, token_type: 'Bearer', ...(isOidc && { id_token: await idToken(begun) }) })
  }

  function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (basic === undefined) return form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET
    const encoded = new URLSearchParams({ v: CLIENT_SECRET }).toString().slice(2)
    return Buffer.from(basic, 'base64').toString() === `${CLIENT_ID}:${encoded}`
  }

  async function idToken({ person, query }: Begun): Promise<string> {
    const at = Math.floor(now() / 1_000)
    const claims = { iss: url, aud: CLIENT_ID, sub: person.sub, nonce: query.get('nonce'), iat: at, exp: at + 300, ...person.claims }
    const payload = (person.tamper ?? ((same) => same))(claims as JWTPayload)
    if (person.algorithm === 'none') return `${encoded({ alg: 'none' })}.${encoded(payload)}.`
    const { algorithm: alg = 'ES256' } = person
    const key: CryptoKey | Uint8Array =
      alg === 'HS256' ? new TextEncoder().encode(CLIENT_SECRET) : person.foreignKey ? foreign.privateKey : pair.privateKey
    return new SignJWT(payload).setProtectedHeader({ alg, kid: 'key-1' }).sign(key)
  }
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

  return {
    url,
    /** A person decides at the issuer; returns the query with which their browser comes back. */
    decide,
    /** The person in whose name browsers come to the issuer from now on. */
    visit: (person: Person): void => void (visitor = person),
    /** An identity assertion (ID-JAG) about a person, for a client at an authorization server. */
    async assert(claims: JWTPayload, { typ = 'oauth-id-jag+jwt', isForeign = false } = {}): Promise<string> {
      const at = Math.floor(now() / 1_000)
      const payload = { iss: url, jti: randomUUID(), iat: at, exp: at + 300, ...claims }
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ })
        .sign(isForeign ? foreign.privateKey : pair.privateKey)
    },
    announce: (more: Readonly<Record<string, unknown>>): void => void (metadata = more),
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}
export type Issuer = Awaited<ReturnType<typeof startIssuer>>
