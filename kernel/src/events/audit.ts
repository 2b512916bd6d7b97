import type { Principal, Via } from '@gateway/sdk'

/** One audited fact: a state change or a refusal. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  readonly principal: Principal
  /** `tool.call`, or a name given to `ctx.audit`, as `task.trash`. */
  readonly name: string
  /** The operation that ran or was refused. */
  readonly tool: string
  /** SHA-256 of the canonical arguments. */
  readonly argsDigest: string
  /** 'ok', or the error code of the refusal. */
  readonly decision: string
  readonly requestId: string
  readonly via: Via
  readonly details?: Readonly<Record<string, unknown>>
}

/** The append-only trail, hash-chained per tenant, one file per tenant and UTC day. */
export interface AuditTrail {
  /** Resolves when the records are written to the tenant’s day file; records of calls that end together share a write. */
  append(tenantId: string, entries: readonly AuditEntry[]): Promise<void>
  close(): Promise<void>
}
