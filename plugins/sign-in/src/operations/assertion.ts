import type { OutgoingCaller } from '@gateway/plugin-outgoing/api'
import { decodeJwt, type JWTPayload } from 'jose'
import type { Identity } from '../rules/identity.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import { type Issuers, identityOf, verifiedClaims } from './oidc.ts'
import type { ProviderSetup } from './provider-client.ts'

const TYPE = 'oauth-id-jag+jwt'
/** An assertion is redeemed at once; a longer life would only help somebody who has stolen it. */
const MAX_SECONDS = 3_600
const MAX_LENGTH = 16_384

/** A verified identity assertion (ID-JAG) of a provider about one of its people, for one client. */
export interface Assertion {
  readonly person: Identity
  /** Unique at its issuer. */
  readonly id: string
  /** ISO time. */
  readonly expiresAt: string
  readonly scope: string | undefined
  readonly resource: unknown
}

/**
 * Verifies an identity assertion: its type, signature, issuer, audience and times, and that it was made for this client. Only
 * issuers that the settings allow are asked for keys. Throws a SignInRefusal.
 */
export async function verifyAssertion(
  { setups, issuers }: { readonly setups: readonly ProviderSetup[]; readonly issuers: Issuers },
  { assertion, audience, clientId }: { readonly assertion: string; readonly audience: string; readonly clientId: string },
  caller: OutgoingCaller,
): Promise<Assertion> {
  const named = issuerOf(assertion)
  const setup = setups.find(({ config }) => config.assertions && config.issuer === named)
  if (named === undefined || !setup) throw new SignInRefusal('assertion must be of an issuer whose assertions this gateway accepts.')
  const { jwksUri } = await issuers.metadata(named, caller)
  const claims = ['sub', 'exp', 'iat', 'jti', 'client_id']
  const payload = await verifiedClaims(
    issuers,
    assertion,
    { what: 'assertion', issuer: named, audience, jwksUri, claims, typ: TYPE },
    caller,
  )
  const { exp = 0, iat = 0, jti, client_id: client, scope, resource } = payload
  if (client !== clientId) throw new SignInRefusal('assertion was made for another client.')
  if (Array.isArray(payload.aud)) throw new SignInRefusal('assertion must name this gateway as its only audience.')
  if (exp - iat > MAX_SECONDS) throw new SignInRefusal(`assertion must end within ${MAX_SECONDS} seconds.`)
  const { id: provider, config } = setup
  return {
    person: identityOf(payload, { provider, issuer: named, trustEmail: config.trustEmail }),
    id: JSON.stringify([named, jti]),
    // The tolerance for clocks that differ counts here, too.
    expiresAt: new Date((exp + 120) * 1_000).toISOString(),
    scope: typeof scope === 'string' ? scope : undefined,
    resource,
  }
}

function issuerOf(assertion: string): string | undefined {
  try {
    return assertion.length > MAX_LENGTH ? undefined : (decodeJwt(assertion) satisfies JWTPayload).iss
  } catch {
    return undefined
  }
}
