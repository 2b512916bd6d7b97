import {
  type Access,
  type AccessParts,
  AdminDisabled,
  type Relay,
  type RequestFacts,
  type TenantStatuses,
  TenantSuspended,
  Unauthorized,
} from '@gateway/kernel'
import { Forbidden, LOCAL_TENANT, type Principal, type SignedIn, type Ticket, TOKEN_PREFIX } from '@gateway/sdk'
import { isSameText } from '@gateway/sdk/secrets'
import type { Settings } from '@gateway/settings'
import { KEY_PREFIX } from './api-key.ts'
import { credentialOf, type Given, sessionCookie, single } from './credential.ts'
import type { JwtVerifier } from './jwt.ts'
import type { KeyRing } from './key-ring.ts'
import type { LocalToken } from './local-token.ts'
import { whyNotLocal } from './local-trust.ts'
import { checkHost, checkOrigin, checkOwnPage } from './origin.ts'
import { type Attempt, type RefusalParts, WAYS_IN, WrongCredentials } from './wrong-credentials.ts'

export interface IdentifyParts extends RefusalParts {
  readonly settings: Settings
  readonly directory: Pick<TenantStatuses, 'statusOf'>
  readonly keys: KeyRing
  readonly relay: Relay
  readonly localToken: LocalToken
  /** Absent when no JWT secret is set; session tokens are then refused. */
  readonly jwt: JwtVerifier | undefined
  readonly sessionOf: AccessParts['sessionOf']
}

const operator = (id: string): Principal => ({ id, kind: 'operator', role: 'operator', tenantId: LOCAL_TENANT })
const LOCAL_OPERATOR = operator('operator')
const ADMIN_OPERATOR = operator('admin')

/**
 * Identifies the caller, on every transport.
 *
 * 1. Host and Origin must belong to this gateway (see `checkHost` and `checkOrigin`).
 * 2. A credential, if present, decides. The order is `x-api-key`, Bearer (local token, API key or session token),
 *    `x-gateway-local-token`, then the cookies: a browser session, a session token. A wrong credential is refused even from this
 *    machine, because a caller that sends one means to be that caller. A caller that sends many wrong ones has to wait; a right
 *    one always passes. A change made with a cookie must come from a page of this gateway (see `checkOwnPage`).
 * 3. Without a credential, a direct local request is the local operator, unless loopback trust is off (see `whyNotLocal`).
 * 4. A caller whose tenant is suspended or deleted, or whose key is void, is refused on the next request, also when another node
 *    made the change. A session token must name an existing tenant.
 */
export function access(parts: IdentifyParts): Access {
  const { settings, directory } = parts
  const wrong = new WrongCredentials(parts)

  function welcome(principal: Principal | undefined, attempt: Attempt): Principal {
    if (!principal) return wrong.refuse(attempt)
    const status = directory.statusOf(principal.tenantId)
    if (attempt.means === 'jwt' && (status === undefined || status === 'deleted')) {
      return wrong.refuse(attempt, 'The session token is for a tenant that does not exist.')
    }
    if (status !== 'active') {
      wrong.record(attempt, TenantSuspended.code)
      throw TenantSuspended({ tenantId: principal.tenantId, ...(status === 'deleted' && { status }) })
    }
    return principal
  }

  function resolve(found: Principal | undefined | Promise<Principal | undefined>, attempt: Attempt) {
    return whenKnown(found, (principal) => welcome(principal, attempt))
  }

  /** Applies the changes of other nodes before it decides from memory. */
  function upToDate(decide: () => Principal | Promise<Principal>): Principal | Promise<Principal> {
    const caughtUp = parts.relay.catchUp()
    return caughtUp === undefined ? decide() : caughtUp.then(decide)
  }

  const byKey = (value: string, request: RequestFacts) =>
    upToDate(() => resolve(parts.keys.principalOf(value), { request, means: 'api-key', value }))

  const bySession = (value: string, request: RequestFacts) =>
    upToDate(() => resolve(parts.jwt?.verify(value), { request, means: 'jwt', value }))

  async function signedIn(ticket: string, kind: Ticket = 'session'): Promise<SignedIn | undefined> {
    const end = ticket.indexOf(kind === 'session' ? ':' : '~')
    const tenantId = ticket.slice(0, Math.max(0, end))
    await parts.relay.catchUp()
    return directory.statusOf(tenantId) === undefined ? undefined : parts.sessionOf(tenantId, ticket.slice(end + 1), kind)
  }

  function bySignIn(value: string, request: RequestFacts): Promise<Principal> {
    checkOwnPage(request)
    return signedIn(value).then((found) => welcome(found?.principal, { request, means: 'session', value }))
  }

  /** Admits a browser session, which the operator has lifted, to routes that need the operator's token. */
  async function byLift(value: string, request: RequestFacts): Promise<Principal> {
    checkOwnPage(request)
    const found = await signedIn(value)
    welcome(found?.principal, { request, means: 'session', value })
    if (!found?.isLifted) throw Unauthorized({ message: `${NEEDS_ADMIN}, or a session elevated with it.` })
    return { ...ADMIN_OPERATOR, ...(found.principal.session !== undefined && { session: found.principal.session }) }
  }

  const byToken = async (value: string, request: RequestFacts): Promise<Principal> =>
    welcome((await signedIn(value.slice(TOKEN_PREFIX.length), 'token'))?.principal, { request, means: 'token', value })

  function byBearer(value: string, request: RequestFacts): Principal | Promise<Principal> {
    if (parts.localToken.matches(value)) return LOCAL_OPERATOR
    if (value.startsWith(KEY_PREFIX)) return byKey(value, request)
    if (value.startsWith(TOKEN_PREFIX)) return byToken(value, request)
    if (parts.jwt) return bySession(value, request)
    return wrong.refuse(
      { request, means: 'local-token', value },
      `The Bearer token is not valid: it is not the local token, and no API key; session tokens need GATEWAY_JWT_SECRET on the server. ${WAYS_IN}`,
    )
  }

  function byLocalToken(value: string, request: RequestFacts): Principal {
    return parts.localToken.matches(value)
      ? LOCAL_OPERATOR
      : wrong.refuse({ request, means: 'local-token', value }, 'The local token is not valid.')
  }

  function caller(request: RequestFacts): Principal | Promise<Principal> {
    const given = credentialOf(request.headers)
    switch (given?.kind) {
      case undefined: {
        const why = whyNotLocal(request, settings)
        if (why === undefined) return LOCAL_OPERATOR
        throw Unauthorized({ message: `This request carries no credential and is not trusted as a local one: ${why}. ${WAYS_IN}` })
      }
      case 'api-key':
        return given.value.startsWith(TOKEN_PREFIX) ? byToken(given.value, request) : byKey(given.value, request)
      case 'bearer':
        return byBearer(given.value, request)
      case 'local-token':
        return byLocalToken(given.value, request)
      case 'session':
        return bySignIn(given.value, request)
      case 'cookie':
        checkOwnPage(request)
        return bySession(given.value, request)
    }
  }

  async function credentialHolds({ kind, value }: Given): Promise<boolean> {
    if (kind === 'local-token') return parts.localToken.matches(value)
    if (kind === 'bearer' && parts.localToken.matches(value)) return true
    await parts.relay.catchUp()
    if (kind === 'session') return (await signedIn(value)) !== undefined && directory.statusOf(value.split(':')[0] as string) === 'active'
    if ((kind === 'bearer' || kind === 'api-key') && value.startsWith(TOKEN_PREFIX)) {
      const found = await signedIn(value.slice(TOKEN_PREFIX.length), 'token')
      return found !== undefined && directory.statusOf(found.principal.tenantId) === 'active'
    }
    const isKey = kind === 'api-key' || (kind === 'bearer' && value.startsWith(KEY_PREFIX))
    const known = await (isKey ? parts.keys.principalOf(value) : parts.jwt?.verify(value))
    return known !== undefined && directory.statusOf(known.tenantId) === 'active'
  }

  function admin(request: RequestFacts): Principal | Promise<Principal> {
    if (settings.adminToken === undefined) throw AdminDisabled({ setting: 'ADMIN_API_TOKEN' })
    const header = request.headers['x-admin-token']
    const session = header === undefined ? sessionCookie(request.headers.cookie) : undefined
    if (session !== undefined) return byLift(session, request)
    if (header === undefined) throw Unauthorized({ message: `${NEEDS_ADMIN}.` })
    const value = single(header) ?? ''
    if (!isSameText(value, settings.adminToken)) {
      return wrong.refuse({ request, means: 'admin-token', value }, 'The operator’s token in X-Admin-Token is not valid.')
    }
    return ADMIN_OPERATOR
  }

  /** Requires the local token or a direct local request in addition to the admin token. Other credentials do not count. */
  function mustBeLocal(request: RequestFacts): void {
    const { 'x-gateway-local-token': localToken, ...others } = request.headers
    if (localToken !== undefined) return void byLocalToken(single(localToken) ?? '', request)
    const bearer = credentialOf({ authorization: others.authorization })?.value
    if (bearer !== undefined && parts.localToken.matches(bearer)) return
    const why = whyNotLocal(request, settings)
    if (why === undefined) return
    if (bearer !== undefined) wrong.refuse({ request, means: 'local-token', value: bearer }, 'The Bearer token is not the local token.')
    throw Forbidden({
      message: `This route shows a key: besides X-Admin-Token it needs the local token, in x-gateway-local-token or as Authorization: Bearer, or a local request, which this is not: ${why}.`,
    })
  }

  return {
    async stillKnows({ headers }) {
      const given = credentialOf(headers)
      return given === undefined || credentialHolds(given)
    },
    identify(request, need = 'caller') {
      checkHost(request, settings)
      checkOrigin(request, settings)
      if (need === 'caller') return caller(request)
      const principal = admin(request)
      if (need === 'admin') return principal
      return whenKnown(principal, (known) => {
        mustBeLocal(request)
        return known
      })
    },
  }
}

const NEEDS_ADMIN = 'This route needs the operator’s token in X-Admin-Token'

/** Continues synchronously when the value is already known. */
function whenKnown<T, R>(found: T | Promise<T>, goOn: (found: T) => R): R | Promise<R> {
  return found instanceof Promise ? found.then(goOn) : goOn(found)
}
