import { type Credential, defineError, Forbidden, type Principal, Type } from '@gateway/sdk'
import type { Clock } from '../clock.ts'
import { Unauthorized } from '../errors.ts'
import type { Relay } from '../nodes/relay.ts'
import type { Settings } from '../settings/settings.ts'
import type { TenantDirectory } from '../tenancy/directory.ts'
import type { JwtVerifier } from './jwt.ts'
import type { KeyRing } from './key-ring.ts'
import type { LocalToken } from './local-token.ts'
import { checkHost, isTrustedLocal, LOCAL_TENANT, type RequestFacts } from './origin.ts'
import { equalInConstantTime } from './secrets.ts'
import { throttle } from './throttle.ts'

export const AdminDisabled = defineError('ADMIN_DISABLED', {
  status: 503,
  description: 'The operator’s routes are off until ADMIN_API_TOKEN is set on the server.',
  details: Type.Object({ setting: Type.String() }),
  message: ({ setting }) => `This route is off: ${setting} is not set on the server.`,
})
export const TenantSuspended = defineError('TENANT_SUSPENDED', {
  status: 403,
  description: 'The caller’s tenant is suspended or deleted; the operator can reactivate a suspended one.',
  details: Type.Object({ tenantId: Type.String() }),
  message: ({ tenantId }) => `Tenant ${tenantId} is suspended.`,
})
export const RateLimited = defineError('RATE_LIMITED', {
  status: 429,
  description: 'Too many failed credentials from this address; wait `retryAfterSeconds`.',
  details: Type.Object({ retryAfterSeconds: Type.Integer() }),
  message: ({ retryAfterSeconds }) => `Too many failed credentials from this address; try again in ${retryAfterSeconds} s.`,
})

export interface AccessParts {
  readonly settings: Settings
  readonly clock: Clock
  readonly directory: TenantDirectory
  readonly keys: KeyRing
  readonly relay: Relay
  readonly localToken: LocalToken
  /** Absent when no JWT secret is set: session tokens are then refused. */
  readonly jwt: JwtVerifier | undefined
  /** A credential was refused: for the audit trail. Never receives the secret. */
  readonly onRefused: (refusal: { peerAddress: string; means: Means; code: string }) => void
}

export type Means = 'loopback' | 'local-token' | 'jwt' | 'api-key' | 'admin-token'

/** Answers at once when nothing needs looking up. Throws, or rejects with, a ToolError. */
export interface Access {
  identify(request: RequestFacts, need?: Credential): Principal | Promise<Principal>
  /**
   * Whether the credential a request came with would still let its caller in: for streams, which outlast their request.
   * A refusal is neither counted nor recorded.
   */
  stillKnows(request: RequestFacts): Promise<boolean>
}

const operator = (id: string): Principal => ({ id, kind: 'operator', role: 'operator', tenantId: LOCAL_TENANT })
const LOCAL_OPERATOR = operator('operator')
const ADMIN_OPERATOR = operator('admin')

/**
 * Who is calling, on every face.
 *
 * 1. Host and Origin must be this gateway’s (see `checkHost`).
 * 2. A credential that is given decides: API key, then Bearer (local token, else session token), then
 *    `x-gateway-local-token`, then the session cookie. A wrong one is refused, also from this machine: whoever sends a
 *    credential means to be that caller.
 * 3. Without one, a direct local request is the local operator, unless loopback trust is off.
 * 4. A caller of a suspended or deleted tenant, or with a key that is void by now, is refused on the very next request,
 *    also when another node suspended it.
 */
export function access(parts: AccessParts): Access {
  const { settings, directory } = parts
  const failures = throttle(parts.clock, { limit: settings.failedLoginLimit, windowSeconds: 60 })

  function refuse(request: RequestFacts, means: Means, message: string): never {
    failures.failed(request.peerAddress)
    parts.onRefused({ peerAddress: request.peerAddress, means, code: Unauthorized.code })
    throw Unauthorized({ message })
  }

  function welcome(principal: Principal | undefined, request: RequestFacts, means: Means): Principal {
    if (!principal) return refuse(request, means, `The ${NAMES[means]} is not valid.`)
    if (directory.statusOf(principal.tenantId) !== 'active') {
      parts.onRefused({ peerAddress: request.peerAddress, means, code: TenantSuspended.code })
      throw TenantSuspended({ tenantId: principal.tenantId })
    }
    return principal
  }

  function resolve(found: Principal | undefined | Promise<Principal | undefined>, request: RequestFacts, means: Means) {
    return found instanceof Promise ? found.then((principal) => welcome(principal, request, means)) : welcome(found, request, means)
  }

  /** Before it is decided by what is remembered here: what other nodes have changed by now counts. */
  function upToDate(decide: () => Principal | Promise<Principal>): Principal | Promise<Principal> {
    const heard = parts.relay.catchUp()
    return heard === undefined ? decide() : heard.then(decide)
  }

  function byToken(token: string, request: RequestFacts) {
    if (parts.localToken.matches(token)) return LOCAL_OPERATOR
    const { jwt } = parts
    if (!jwt) return refuse(request, 'local-token', 'The Bearer token is not valid; session tokens need GATEWAY_JWT_SECRET on the server.')
    return upToDate(() => resolve(jwt.verify(token), request, 'jwt'))
  }

  function byLocalToken(token: string, request: RequestFacts): Principal {
    return parts.localToken.matches(token) ? LOCAL_OPERATOR : refuse(request, 'local-token', 'The local token is not valid.')
  }

  function caller(request: RequestFacts): Principal | Promise<Principal> {
    const { headers, peerAddress } = request
    const given = credentialOf(headers)
    if (!given) {
      if (settings.loopbackTrust && isTrustedLocal(request)) return LOCAL_OPERATOR
      throw Unauthorized({ message: 'This request carries no credential and does not come from this machine directly.' })
    }
    const wait = failures.blockedFor(peerAddress)
    if (wait > 0) throw RateLimited({ retryAfterSeconds: wait })
    switch (given.kind) {
      case 'api-key':
        return upToDate(() => resolve(parts.keys.principalOf(given.value), request, 'api-key'))
      case 'bearer':
        return byToken(given.value, request)
      case 'local-token':
        return byLocalToken(given.value, request)
      case 'cookie':
        return upToDate(() => resolve(parts.jwt?.verify(given.value), request, 'jwt'))
    }
  }

  async function credentialHolds({ kind, value }: Given): Promise<boolean> {
    if (kind === 'local-token') return parts.localToken.matches(value)
    if (kind === 'bearer' && parts.localToken.matches(value)) return true
    await parts.relay.catchUp()
    const known = await (kind === 'api-key' ? parts.keys.principalOf(value) : parts.jwt?.verify(value))
    return known !== undefined && directory.statusOf(known.tenantId) === 'active'
  }

  function admin(request: RequestFacts): Principal {
    if (settings.adminToken === undefined) throw AdminDisabled({ setting: 'ADMIN_API_TOKEN' })
    const wait = failures.blockedFor(request.peerAddress)
    if (wait > 0) throw RateLimited({ retryAfterSeconds: wait })
    const token = single(request.headers['x-admin-token'])
    if (token === undefined) throw Unauthorized({ message: 'This route needs the operator’s token in X-Admin-Token.' })
    if (!equalInConstantTime(token, settings.adminToken))
      refuse(request, 'admin-token', 'The operator’s token in X-Admin-Token is not valid.')
    return ADMIN_OPERATOR
  }

  return {
    async stillKnows({ headers }) {
      const given = credentialOf(headers)
      return given === undefined || credentialHolds(given)
    },
    identify(request, need = 'caller') {
      checkHost(request, settings)
      if (need === 'caller') return caller(request)
      const principal = admin(request)
      if (need === 'admin') return principal
      const local = request.headers['x-gateway-local-token']
      if (local !== undefined) byLocalToken(single(local) ?? '', request)
      else if (!settings.loopbackTrust || !isTrustedLocal(request)) {
        throw Forbidden({
          message: 'This route shows a key: it needs local trust (loopback, or x-gateway-local-token) besides X-Admin-Token.',
        })
      }
      return principal
    },
  }
}

const NAMES: Readonly<Record<Means, string>> = {
  loopback: 'local request',
  'local-token': 'local token',
  jwt: 'session token',
  'api-key': 'API key',
  'admin-token': 'operator’s token',
}

interface Given {
  readonly kind: 'api-key' | 'bearer' | 'local-token' | 'cookie'
  readonly value: string
}

/** The credential a request carries; an empty or repeated header counts as a wrong one, not as none. */
function credentialOf(headers: RequestFacts['headers']): Given | undefined {
  const { 'x-api-key': apiKey, authorization, 'x-gateway-local-token': localToken, cookie } = headers
  if (apiKey !== undefined) return { kind: 'api-key', value: single(apiKey) ?? '' }
  if (authorization !== undefined) return { kind: 'bearer', value: /^Bearer +(\S+)$/i.exec(single(authorization) ?? '')?.[1] ?? '' }
  if (localToken !== undefined) return { kind: 'local-token', value: single(localToken) ?? '' }
  const session = cookie === undefined ? undefined : /(?:^|;\s*)svc_token=([^;\s]*)/.exec(single(cookie) ?? '')?.[1]
  return session === undefined ? undefined : { kind: 'cookie', value: session }
}

const single = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? undefined : header)
