import type { CollectionRef } from './collection/index.ts'
import type { Capability, Principal } from './context.ts'
import { defineContribution } from './contribution.ts'
import type { SignedIn } from './session-check.ts'

/**
 * Prefix of tokens that plugins check, OAuth access tokens among them: `gwo_<tenantId>~<ticket>`. It tells them from API keys and
 * session tokens.
 */
export const TOKEN_PREFIX = 'gwo_'

/** Kind of a credential that a plugin checks: the cookie of a signed-in browser, or a token. */
export type Ticket = 'session' | 'token'

/** Validity of the answer of a token check, for which the gateway caches it. */
export interface Holds {
  /** ISO time. */
  readonly until: string
  /** API key with which the token ends. */
  readonly keyId?: string
}

/** Checks tokens. Called on a request with one, unless its last answer still holds, bound to the tenant that the token names. */
export interface TokenCheck {
  /**
   * `undefined` if the token is not valid now, or another plugin's. The principal has `scopes` or `confinedTo`. Without `holds` the
   * check is called on every request.
   */
  check(ticket: string): Promise<(Pick<SignedIn, 'principal' | 'isLifted'> & { readonly holds?: Holds }) | undefined>
  /** Collections that answers with `holds` depend on. A change in one of them ends the cached answers of its tenant, on all nodes. */
  readonly dependsOn?: readonly CollectionRef[]
  /**
   * Parameters of the Bearer challenge for a path (RFC 6750, 9728), `resource_metadata="…", scope="…"`, for the given scopes or
   * those that a client should ask for first. `undefined` while the gateway offers no OAuth; absent if the tokens are not for
   * clients that ask.
   */
  challenge?(path: string, scopes?: readonly Capability[]): string | undefined
}
/** Contributes a check of tokens. The first that knows the token decides. */
export const tokenCheck = defineContribution<TokenCheck>('gateway.token-check')

/** A request to a public endpoint, with its whole body. */
export interface PublicRequest {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Address of the client, behind trusted proxies. */
  readonly address: string
  /** Adds a record to the audit trail of the principal's tenant, whatever the answer is. It is written before the answer is sent. */
  audit(record: PublicRecord): void
}

/** A record for the audit trail: a credential that was given or refused. */
export interface PublicRecord {
  /** Such as `oauth.issued`. */
  readonly name: string
  /** The caller that the credential stands for. */
  readonly principal: Principal
  /** `ok` by default, otherwise the code of the refusal. */
  readonly decision?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Answer of a public endpoint. */
export interface PublicAnswer {
  readonly status: number
  /** A list sends a header several times, as cookies need. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/**
 * Endpoints below `/.well-known/` and `/oauth/` that need no credential, because they are how a client gets one. They run as the
 * system, and answer only on their own checks. Bodies have at most 64 KiB, and a fixed number of requests runs at once.
 */
export interface PublicEndpoints {
  /** `undefined` for a path that is not served, which is answered 404. */
  answer(request: PublicRequest): Promise<PublicAnswer | undefined>
}
/** Contributes public endpoints. The first contribution that answers is used. */
export const publicEndpoints = defineContribution<PublicEndpoints>('gateway.public-endpoints')
