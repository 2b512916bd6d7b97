import { type AuditPage, type AuditQuery, type AuditVerdict, type Principal, Unavailable, type Via } from '@gateway/sdk'

/** Where a request came from. */
export interface CallOrigin {
  readonly address: string
  /** As the client calls itself: anybody may write anything there. */
  readonly client?: string | undefined
}

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
  /** Where the request came from, and what its client calls itself. Absent for what no request asked for. */
  readonly origin?: CallOrigin | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

/** The append-only trail, hash-chained per tenant, one file per tenant and UTC day. */
export interface AuditTrail {
  /**
   * Resolves when the records are written to the tenant’s day file; records of calls that end together share a write.
   * Rejects with `RecordOwed` when that failed for a call that was done. For a tenant that has ended nothing is written.
   */
  append(tenantId: string, entries: readonly AuditEntry[]): Promise<void>
  /** To be asked before anything is changed: undefined when no record is owed; else resolves when all are written, or rejects with UNAVAILABLE. */
  settle(tenantId: string): Promise<void> | undefined
  /** What is written by now, latest first. */
  search(tenantId: string, query: AuditQuery): Promise<AuditPage>
  /** Whether a part of it is as it was written. */
  verify(tenantId: string, cursor?: string): Promise<AuditVerdict>
  /** Who has a trail here, synthetic tenants too. */
  tenants(): Promise<readonly string[]>
  /** How many day files the tenant has. */
  days(tenantId: string): Promise<number>
  /** The tenant’s whole trail goes. */
  remove(tenantId: string): Promise<void>
  /** The day files before that day (YYYY-MM-DD) go, but for the newest; how many. The trail that is left verifies from where it begins. */
  purge(tenantId: string, before: string): Promise<number>
  /** Why records are owed, while any are. */
  readonly fault: string | undefined
  close(): Promise<void>
}

/** What was done cannot be undone for want of a record: the trail keeps the record, and tries again until it is written. */
export class RecordOwed extends Error {
  constructor(cause: unknown) {
    super(`The audit trail could not be written, and keeps the record: ${(cause as Error).message}`, { cause })
  }
}

/** Without the system’s message: it may name a path, which is no tenant’s business. */
export function whyUnwritten(cause: unknown): string {
  const { code = 'no reason given' } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  return `The audit trail cannot be written (${code})`
}

export function auditFailed(cause: unknown): Error {
  const failure = Unavailable({ message: `${whyUnwritten(cause)}, so nothing was done.` })
  failure.cause = cause
  return failure
}

/** Counts refusals, so that nobody who may do nothing fills the trail. */
export interface Refusals {
  /** Whether this is the first of its kind for a while, which the caller of this method writes; others are counted. */
  isFirst(kind: string, tenantId: string, entry: () => AuditEntry): boolean
  /** Writes what is still counted. */
  close(): Promise<void>
}
