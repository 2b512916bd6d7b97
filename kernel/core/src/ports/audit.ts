import { type AuditPage, type AuditQuery, type AuditVerdict, type Principal, Unavailable, type Via } from '@gateway/sdk'

export interface CallOrigin {
  readonly address: string
  /** The client's own name for itself; any caller may write any text. */
  readonly client?: string | undefined
}

/** An audited fact: a state change or a refusal. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  readonly principal: Principal
  /** `tool.call`, or a name passed to `ctx.audit`, such as `task.trash`. */
  readonly name: string
  /** The operation that ran or was refused. */
  readonly tool: string
  /** SHA-256 of the canonical arguments. */
  readonly argsDigest: string
  /** The ids among the arguments. */
  readonly subject?: Readonly<Record<string, string>> | undefined
  /** `ok`, or the error code of the refusal. */
  readonly decision: string
  readonly requestId: string
  readonly via: Via
  /** Origin of the request and the name its client reports. Absent for changes that no request asked for. */
  readonly origin?: CallOrigin | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

/** The append-only trail, hash-chained per tenant, with one file per tenant and UTC day. */
export interface AuditTrail {
  /**
   * Resolves when the records are written to the tenant’s day file; records of calls that end together share a write.
   * Rejects with `UnwrittenRecordError` when that failed for a call that was done. For a tenant that has ended nothing is written.
   */
  append(tenantId: string, entries: readonly AuditEntry[]): Promise<void>
  /**
   * Must be called before a change: undefined if no record is owed, otherwise resolves when all are written or rejects with UNAVAILABLE.
   */
  settle(tenantId: string): Promise<void> | undefined
  /** Returns the written records, latest first. */
  search(tenantId: string, query: AuditQuery): Promise<AuditPage>
  /** Verifies a part of the trail against its hash chain. */
  verify(tenantId: string, cursor?: string): Promise<AuditVerdict>
  /** Tenants that have a trail here, including synthetic ones. */
  tenants(): Promise<readonly string[]>
  days(tenantId: string): Promise<number>
  remove(tenantId: string): Promise<void>
  /**
   * Removes the day files before a day (YYYY-MM-DD), except the newest, and returns their number. The remaining trail verifies
   * from its new beginning.
   */
  purge(tenantId: string, before: string): Promise<number>
  /** Reason why records are owed, while any are. */
  readonly fault: string | undefined
  close(): Promise<void>
}

/** A completed change cannot be undone because its record is missing, so the trail keeps the record and retries until it is written. */
export class UnwrittenRecordError extends Error {
  constructor(cause: unknown) {
    super(`The audit trail could not be written, and keeps the record: ${(cause as Error).message}`, { cause })
  }
}

/** Omits the system's message, which may contain a path that tenants must not see. */
export function writeFailureMessage(cause: unknown): string {
  const { code = 'no reason given' } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  return `The audit trail cannot be written (${code})`
}

export function auditFailed(cause: unknown): Error {
  const failure = Unavailable({ message: `${writeFailureMessage(cause)}, so nothing was done.` })
  failure.cause = cause
  return failure
}

/** Counts repeated refusals, so that a caller without rights cannot fill the trail. */
export interface Refusals {
  /** True for the first refusal of its kind in a while, which the caller of this method writes. Later ones are counted. */
  isFirst(kind: string, tenantId: string, entry: () => AuditEntry): boolean
  /** Writes the pending counts. */
  close(): Promise<void>
}
