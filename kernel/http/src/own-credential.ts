import { clientAddress, type Gateway, RateLimited, type RequestFacts, throttle, Unauthorized } from '@gateway/kernel'
import { credentialCheck, type Principal } from '@gateway/sdk'

/** Which raw route is asked for what, of which tenant. */
export interface OwnRequest {
  readonly route: string
  readonly owner: string
  readonly facts: RequestFacts
}

const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i
const BEARER = /^Bearer +(\S+)$/i
const MAX_SECRET = 500

/**
 * Who calls a raw route that has credentials of its own. Whether the tenant is unknown, blocked or has another secret, the refusal is
 * the same: it tells nobody which tenants there are.
 */
export function ownCredentials(gateway: Gateway): (request: OwnRequest) => Promise<Principal> {
  const addressOf = clientAddress(gateway.settings.trustedProxies)
  const failures = throttle(gateway.clock, { limit: gateway.settings.failedLoginLimit, windowSeconds: 60 })

  return async ({ route, owner, facts }) => {
    const secret = secretOf(facts.headers.authorization)
    if (secret === undefined)
      throw Unauthorized({ message: 'This address needs a token of its own: as the password of Basic, or as a Bearer token.' })
    const found = gateway.isTenantActive(owner) ? await ask(route, owner, secret) : undefined
    if (found) return { id: found.id, kind: 'api-key', role: found.role, tenantId: owner }
    const address = addressOf(facts)
    const retryAfterSeconds = failures.failed(address, `${owner} ${secret}`)
    if (retryAfterSeconds > 0) throw RateLimited({ retryAfterSeconds, of: 'credentials' })
    gateway.log.warn({ event: 'credential.refused', route, tenantId: owner, address }, 'credential.refused')
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

/** The name that comes with a password says nothing: the path says whose it is. */
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
