import type { Client } from './client.ts'

/** Ranked viewer < member < admin < owner; `system` and `operator` are machine principals and hold everything. */
export type Role = 'viewer' | 'member' | 'admin' | 'owner' | 'system' | 'operator'

const ranks: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3, system: 4, operator: 4 }

/** Whether `role` may do everything that `other` may. */
export function atLeast(role: Role, other: Role): boolean {
  return ranks[role] >= ranks[other]
}

/** What a role may do. `operator` marks operator-only tools; it is enforced even in shadow mode. */
export type Capability = 'read' | 'work' | 'configure' | 'members' | 'billing' | 'operator'

/** Which face a call came through. */
export type Via = 'mcp' | 'rest' | 'job' | 'event'

/** Who is calling, as derived by the server. Never taken from an argument. */
export interface Principal {
  readonly id: string
  readonly kind: 'operator' | 'system' | 'user' | 'api-key'
  readonly role: Role
  readonly tenantId: string
  /** What the API key is called that the caller has: names an agent where ids do not. */
  readonly label?: string
  /** Id of the browser’s session, where the caller signed in. */
  readonly session?: string
}

/** Structured log lines; the kernel adds plugin, tool, tenant and request id. */
export interface Log {
  debug(message: string, fields?: object): void
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

/** What a handler knows of the call it serves. */
export interface CallContext {
  readonly tenantId: string
  readonly principal: Principal
  readonly requestId: string
  readonly via: Via
  /** Aborted when the caller cancels, goes away, the call’s time is over, or the gateway stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** The program the caller sits in: for asking back, and for letting it go while the work goes on. */
  readonly client: Client
  /** The gateway’s clock; tests set it. */
  now(): Date
  /** `prefix` plus a time-ordered unique part: ids made later sort later, also within one millisecond. */
  newId(prefix: string): string
  /**
   * Do a stretch of work that no index helps, a few milliseconds of it, when it is this tenant’s turn: between two stretches others
   * are served. `scan` takes its turns by itself. Throws the signal’s reason once the call is stopped.
   */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** Tell a caller that asked for it how far the work is. Without a listener it does nothing. */
  progress(done: number, total?: number, message?: string): void
  /**
   * A named record for the audit trail, written with the call’s own record if the call succeeds; with `always` also if it
   * fails, for what has then happened outside the gateway.
   */
  audit(name: string, details?: Readonly<Record<string, unknown>>, options?: { readonly always?: boolean }): void
  /** Whether the caller’s role has `capability`, enforcement or not. */
  holds(capability: Capability): boolean
  /** Throws FORBIDDEN unless the caller holds `capability` (in shadow mode: logs and returns). For an argument that needs more than its tool. */
  require(capability: Capability): void
}
