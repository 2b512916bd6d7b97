import type { Principal } from './context.ts'
import { defineContribution } from './contribution.ts'

/** Cookie of a signed-in browser: `<tenantId>:<ticket>`. */
export const SESSION_COOKIE = 'gateway_session'

/** Person behind a browser session. */
export interface SignedIn {
  /** Principal of the tenant that the cookie names, with `session`. */
  readonly principal: Principal
  /** True if it may also use the operator's routes. */
  readonly isLifted: boolean
}

/** Checks browser sessions. Called on every request with the session cookie, bound to the tenant that the cookie names. */
export interface SessionCheck {
  /** `undefined` if the ticket is not valid now. */
  check(ticket: string): Promise<SignedIn | undefined>
}
/** Contributes the check of browser sessions. The first contribution is used. */
export const sessionCheck = defineContribution<SessionCheck>('gateway.session-check')
