import { hash } from 'node:crypto'
import { type Gateway, RateLimited, type RequestFacts, Unauthorized } from '@gateway/kernel'
import { credentialCheck, type Principal } from '@gateway/sdk'
import { BoundedMap, throttle } from '@gateway/sdk/bounds'
import { clientAddress } from '@gateway/settings'

export interface OwnRequest {
  readonly route: string
  readonly owner: string
  readonly facts: RequestFacts
}

const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i
const BEARER = /^Bearer +(\S+)$/i
const MAX_SECRET = 500
const MAX_PROVEN = 10_000
const MAX_LOGGED_NAME_CHARACTERS = 64

/**
 * Identifies the caller of a raw route that has its own credentials.
 *
 * 1. An address that has sent many wrong credentials must wait, and its credentials are not looked up. A credential that was
 *    valid before is still checked, so that a guesser does not lock out a working client at the same address.
 * 2. A name that is not an active tenant’s is refused from memory, without a question to the store or to a plugin.
 * 3. The plugin of the route checks the secret.
 *
 * An unknown tenant, a blocked tenant and a wrong secret get the same message, so that nobody learns which tenants exist.
 */
export function ownCredentials(gateway: Gateway): (request: OwnRequest) => Promise<Principal> {
  const addressOf = clientAddress(gateway.settings.trustedProxies)
  const failures = throttle(gateway.clock, { limit: gateway.settings.failedLoginLimit, windowSeconds: 60 })
  /** Credentials that were valid when they were last checked, by digest. */
  const proven = new BoundedMap<string, true>(MAX_PROVEN)

  return async ({ route, owner, facts }) => {
    const secret = secretOf(facts.headers.authorization)
    if (secret === undefined)
      throw Unauthorized({ message: 'This address needs its own token, as the password of Basic authentication or as a Bearer token.' })
    const address = addressOf(facts)
    const digest = hash('sha256', `${route} ${owner} ${secret}`, 'base64url')
    const waitSeconds = proven.has(digest) ? 0 : failures.waiting(address)
    if (waitSeconds > 0) throw RateLimited({ retryAfterSeconds: waitSeconds, of: 'credentials' })
    const isOpen = gateway.hasTenant(owner) && gateway.isTenantActive(owner)
    const found = isOpen ? await ask(route, owner, secret) : undefined
    if (found) {
      proven.set(digest, true)
      return { id: found.id, kind: 'api-key', role: found.role, tenantId: owner }
    }
    proven.delete(digest)
    const retryAfterSeconds = failures.failed(address, `${owner} ${secret}`)
    if (retryAfterSeconds > 0) throw RateLimited({ retryAfterSeconds, of: 'credentials' })
    gateway.log.warn(
      { event: 'credential.refused', route, tenantId: owner.slice(0, MAX_LOGGED_NAME_CHARACTERS), address },
      'credential.refused',
    )
    throw Unauthorized({ message: 'The token is not valid here.' })
  }

  function ask(route: string, tenantId: string, secret: string) {
    const asker: Principal = { id: 'credential-check', kind: 'system', role: 'viewer', tenantId }
    return gateway
      .collect(credentialCheck, asker)
      .find(({ routes }) => routes.includes(route))
      ?.check(secret)
  }
}

/** The user name sent with a password is ignored: the path names the tenant. */
function secretOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const basic = BASIC.exec(header)?.[1]
  const secret =
    basic === undefined
      ? BEARER.exec(header)?.[1]
      : Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
  return secret === '' || (secret?.length ?? 0) > MAX_SECRET ? undefined : secret
}
