import type { Principal } from './context.ts'
import { defineContribution } from './contribution.ts'

/** The cookie of a browser that is signed in: `<tenantId>:<ticket>`. */
export const SESSION_COOKIE = 'gateway_session'

/** Who a browser’s session is. */
export interface SignedIn {
  /** Of the tenant that the cookie names, with `session`. */
  readonly principal: Principal
  /** Whether it may use the operator’s routes besides. */
  readonly isLifted: boolean
}

/** Knows the sessions of browsers. Asked on every call with the session cookie, bound to the tenant that the cookie names. */
export interface SessionCheck {
  /** `undefined` where the ticket is not valid now. */
  check(ticket: string): Promise<SignedIn | undefined>
}
/** Keep the sessions of browsers. Of several the first is asked. */
export const sessionCheck = defineContribution<SessionCheck>('gateway.session-check')
