import type { Client } from './client.ts'
import type { Confinement } from './confinement.ts'

/** Ranked viewer < member < admin < owner; `system` and `operator` are machine principals and hold every capability. */
export type Role = 'viewer' | 'member' | 'admin' | 'owner' | 'system' | 'operator'

const ranks: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3, system: 4, operator: 4 }

/** True if `role` may do everything that `other` may. */
export function atLeast(role: Role, other: Role): boolean {
  return ranks[role] >= ranks[other]
}

/** A right that a role may hold. `operator` marks operator-only tools and is enforced even in shadow mode. */
export type Capability = 'read' | 'work' | 'configure' | 'members' | 'billing' | 'operator'

/** Transport that a call came through. */
export type Via = 'mcp' | 'rest' | 'job' | 'event'

/** The caller, as derived by the server. Never taken from an argument. */
export interface Principal {
  readonly id: string
  readonly kind: 'operator' | 'system' | 'user' | 'api-key'
  readonly role: Role
  readonly tenantId: string
  /** Label of the caller's API key, which names an agent where ids do not. */
  readonly label?: string
  /** Id of the browser session, if the caller signed in. */
  readonly session?: string
  /** Capabilities that the caller's OAuth token is limited to; absent for every other credential. */
  readonly scopes?: readonly Capability[]
  /** Operations that the caller's key is limited to; absent for every other credential. */
  readonly confinedTo?: Confinement
  /** Present if a model wrote the call for this principal: it may not say what a person has to say. */
  readonly byModel?: true
  /** Caller that had the key issued for a piece of work, and whose budgets pay for it; absent for every other credential. */
  readonly issuedBy?: { readonly id: string; readonly label?: string }
}

/** Structured log lines; the kernel adds plugin, tool, tenant and request id. */
export interface Log {
  debug(message: string, fields?: object): void
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

/** Facts and services of the call that a handler serves. */
export interface CallContext {
  readonly tenantId: string
  readonly principal: Principal
  readonly requestId: string
  readonly via: Via
  /** Aborted when the caller cancels or disconnects, the call's time is over, or the gateway stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** The program that the caller runs in, for questions and for detaching the caller while the work continues. */
  readonly client: Client
  /** The gateway's clock; tests set it. */
  now(): Date
  /** `prefix` plus a time-ordered unique part: later ids sort later, also within one millisecond. */
  newId(prefix: string): string
  /**
   * Runs a stretch of work that no index helps, a few milliseconds long, when it is this tenant's turn; others are served
   * between two stretches. `scan` takes its turns by itself. Throws the signal's reason once the call is stopped.
   */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** Reports progress to a caller that asked for it. Does nothing otherwise. */
  progress(done: number, total?: number, message?: string): void
  /**
   * Adds a named record to the audit trail, written with the call's own record if the call succeeds. With `always` it is also
   * written if the call fails, for effects outside the gateway.
   */
  audit(name: string, details?: Readonly<Record<string, unknown>>, options?: { readonly always?: boolean }): void
  /**
   * Stores the idempotency key of the call, together with its work so far, before an effect that no transaction can undo, such as a
   * request to another server: from then on, no other call with the key has the effect while this one runs. Requests of the outgoing
   * service do it by themselves. Does nothing for a call without a key.
   */
  beforeEffect(): Promise<void>
  /**
   * Says that this call of a tool that can write has changed nothing, such as a claim that found no task: no audit record is written,
   * and a failure leaves the idempotency key free. Records that `audit` added are written all the same.
   */
  changedNothing(): void
  /** True if the caller's role has `capability`, whether or not roles are enforced. */
  holds(capability: Capability): boolean
  /**
   * Throws FORBIDDEN unless the caller holds `capability` (in shadow mode it logs and returns). For an argument that needs more
   * than its tool.
   */
  require(capability: Capability): void
}
