import type { Outgoing, OutgoingCaller } from '@gateway/plugin-outgoing/api'
import { BoundedMap } from '@gateway/sdk/bounds'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { type Attempt, challengeOf } from '../rules/attempt.ts'
import { type Identity, valuesOf } from '../rules/identity.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import { askObject, type Json } from './http-json.ts'
import type { ProviderClient, ProviderSetup } from './provider-client.ts'

const FRESH_MS = 3_600_000
/** Keys of an issuer are read again for an unknown one, at most this often. */
const KEYS_AGAIN_MS = 30_000
const MAX_ISSUERS = 20
const CLOCK_TOLERANCE_SECONDS = 60
/** Signatures by a public key. A shared secret as the key would let the client make tokens for itself. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

interface Metadata {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly jwksUri: string
  readonly userinfoEndpoint: string | undefined
  readonly answersIssuer: boolean
  readonly byPost: boolean
}
interface Cached<T> {
  readonly value: T
  readonly at: number
}

/** Reads an issuer's metadata and keys, and remembers them for an hour. */
export class Issuers {
  readonly #outgoing: Outgoing
  readonly #metadata = new BoundedMap<string, Cached<Metadata>>(MAX_ISSUERS)
  readonly #keys = new BoundedMap<string, Cached<JSONWebKeySet>>(MAX_ISSUERS)

  constructor(outgoing: Outgoing) {
    this.#outgoing = outgoing
  }

  async metadata(issuer: string, caller: OutgoingCaller): Promise<Metadata> {
    const now = caller.now().getTime()
    const known = this.#metadata.get(issuer)
    if (known && known.at + FRESH_MS > now) return known.value
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const found = await askObject(this.#outgoing, { url }, caller)
    if (found.issuer !== issuer)
      throw new SignInRefusal(`The configuration of ${issuer} must name that issuer; got ${String(found.issuer).slice(0, 200)}.`, 502)
    const value = {
      authorizationEndpoint: endpoint(found, 'authorization_endpoint', issuer),
      tokenEndpoint: endpoint(found, 'token_endpoint', issuer),
      jwksUri: endpoint(found, 'jwks_uri', issuer),
      userinfoEndpoint: found.userinfo_endpoint === undefined ? undefined : endpoint(found, 'userinfo_endpoint', issuer),
      answersIssuer: found.authorization_response_iss_parameter_supported === true,
      byPost:
        Array.isArray(found.token_endpoint_auth_methods_supported) &&
        !found.token_endpoint_auth_methods_supported.includes('client_secret_basic'),
    }
    this.#metadata.set(issuer, { value, at: now })
    return value
  }

  async keys(jwksUri: string, caller: OutgoingCaller, { again }: { again: boolean }): Promise<JSONWebKeySet> {
    const now = caller.now().getTime()
    const known = this.#keys.get(jwksUri)
    if (known && known.at + (again ? KEYS_AGAIN_MS : FRESH_MS) > now) return known.value
    const found = await askObject(this.#outgoing, { url: jwksUri }, caller)
    if (!Array.isArray(found.keys)) throw new SignInRefusal(`${jwksUri} must have keys.`, 502)
    const value = found as unknown as JSONWebKeySet
    this.#keys.set(jwksUri, { value, at: now })
    return value
  }
}

/** Endpoints are https, unless the issuer itself is a plain address of this machine or network. */
function endpoint(metadata: Json, name: string, issuer: string): string {
  const url = metadata[name]
  const isUrl = typeof url === 'string' && url.length <= 2_000 && URL.canParse(url)
  if (!isUrl || !(url.startsWith('https://') || (issuer.startsWith('http://') && url.startsWith('http://'))))
    throw new SignInRefusal(`${name} of ${issuer} must be an https address.`, 502)
  return url
}

interface Expected {
  /** Subject of the sentence of a refusal. */
  readonly what: string
  readonly issuer: string
  readonly audience: string
  readonly jwksUri: string
  /** Claims that must be present. */
  readonly claims: string[]
  readonly typ?: string
}

/** Verifies a token that an issuer signed, with its published keys. Throws a SignInRefusal. */
export async function verifiedClaims(issuers: Issuers, token: string, expected: Expected, caller: OutgoingCaller): Promise<JWTPayload> {
  const { what, issuer, audience, jwksUri, claims: requiredClaims, typ } = expected
  const options = {
    issuer,
    audience,
    requiredClaims,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    ...(typ !== undefined && { typ }),
  }
  const check = async (again: boolean): Promise<JWTPayload> => {
    const keys = createLocalJWKSet(await issuers.keys(jwksUri, caller, { again }))
    return (await jwtVerify(token, keys, { ...options, currentDate: caller.now() })).payload
  }
  try {
    return await check(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) return check(true)
      throw error
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new SignInRefusal(`${what} is not valid: ${error.message}.`)
    throw error
  }
}

/** A provider with OpenID Connect: authorization code with PKCE, state, nonce, and the issuer in the answer (RFC 9207). */
export function oidcClient(outgoing: Outgoing, issuers: Issuers, { id, config, redirectUri }: ProviderSetup): ProviderClient {
  const { issuer = '', clientId, clientSecret, scopes = ['openid', 'email', 'profile'], trustEmail } = config

  return {
    async authorizationUrl(attempt, caller) {
      const { authorizationEndpoint } = await issuers.metadata(issuer, caller)
      const url = new URL(authorizationEndpoint)
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: challengeOf(attempt),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    async identify({ code, iss }, attempt, caller) {
      const metadata = await issuers.metadata(issuer, caller)
      if (iss === undefined ? metadata.answersIssuer : iss !== issuer)
        throw new SignInRefusal(`iss must be ${issuer}: the answer comes from another provider.`)
      const basic = clientSecret !== undefined && !metadata.byPost
      const tokens = await askObject(
        outgoing,
        {
          url: metadata.tokenEndpoint,
          ...(basic && { headers: { authorization: `Basic ${basicOf(clientId, clientSecret)}` } }),
          form: {
            grant_type: 'authorization_code',
            code,
            redirect_uri: redirectUri,
            code_verifier: attempt.verifier,
            ...(!basic && { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }),
          },
        },
        caller,
      )
      if (typeof tokens.id_token !== 'string') throw new SignInRefusal('The provider sent no ID token.', 502)
      const expected = { what: 'The ID token', issuer, audience: clientId, jwksUri: metadata.jwksUri, claims: ['sub', 'exp', 'iat'] }
      const payload = await verifiedClaims(issuers, tokens.id_token, expected, caller)
      checkClaims(payload, attempt, clientId)
      const more = payload.email === undefined ? await userinfo(metadata, tokens, payload, caller) : {}
      return identityOf({ ...more, ...payload }, { provider: id, issuer, trustEmail })
    },
  }

  /** Some issuers leave the address out of the ID token. */
  async function userinfo(
    { userinfoEndpoint }: Metadata,
    { access_token: token }: Json,
    { sub }: JWTPayload,
    caller: OutgoingCaller,
  ): Promise<Json> {
    if (userinfoEndpoint === undefined || typeof token !== 'string') return {}
    const found = await askObject(outgoing, { url: userinfoEndpoint, headers: { authorization: `Bearer ${token}` } }, caller)
    if (found.sub !== sub) throw new SignInRefusal('The provider’s user information is of somebody else.')
    return found
  }
}

/** RFC 6749, 2.3.1: both are encoded as a form before they are joined. */
const basicOf = (clientId: string, secret: string): string =>
  Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64')
const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2)

function checkClaims({ nonce, azp, aud }: JWTPayload, attempt: Attempt, clientId: string): void {
  if (nonce !== attempt.nonce) throw new SignInRefusal('The ID token is of another sign-in: its nonce differs.')
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId)
    throw new SignInRefusal('The ID token was issued to another client.')
}

const MAX_NAME = 100

export function identityOf(
  claims: Json,
  { provider, issuer, trustEmail }: { provider: string; issuer: string; trustEmail: boolean },
): Identity {
  const { sub, email, email_verified: verified, name, preferred_username: username, groups } = claims
  const shown = [name, username].find((value): value is string => typeof value === 'string' && value !== '')
  const isVerified = verified === true || verified === 'true' || (trustEmail && verified === undefined)
  return {
    provider,
    issuer,
    subject: String(sub),
    ...(shown !== undefined && { name: shown.slice(0, MAX_NAME) }),
    ...(isVerified && typeof email === 'string' && isEmail(email) && { email }),
    groups: groups === undefined ? [] : valuesOf(groups),
    claims,
  }
}

export const isEmail = (text: string): boolean => text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)
