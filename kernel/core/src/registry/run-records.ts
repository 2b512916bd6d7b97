import type { CallRecord } from '@gateway/sdk'
import { argumentsDigest } from '@gateway/validation'
import type { Logger } from 'pino'
import type { AuditEntry, AuditTrail } from '../ports/audit.ts'
import type { CallScope, NamedAudit } from './context.ts'

export interface RunRecords {
  readonly audit: AuditTrail
  readonly log: Logger
  readonly clock: { now(): number }
  readonly observe: (run: CallRecord) => void
}

/** The requested records that are written: all if the call succeeded, otherwise those marked `always`. */
export const namedFor = (decision: string, audits: readonly NamedAudit[]): readonly NamedAudit[] =>
  decision === 'ok' ? audits : audits.filter(({ always }) => always)

/**
 * Runs after plugin code that is not a tool: a job, a listener, a resource, a prompt, a completion. It writes the requested
 * audit records and notifies the observers. Such a run has no record of its own. A failure to write a record does not fail the
 * run; the trail or the log keeps the record.
 */
export async function recordRun(
  parts: RunRecords,
  { scope, operation, decision, startedAt }: { scope: CallScope; operation: string; decision: string; startedAt: number },
): Promise<void> {
  const { tenantId, via, principal } = scope
  const named = namedFor(decision, scope.audits ?? [])
  if (named.length > 0) {
    const { requestId } = scope
    const run = { at: parts.clock.now(), principal, tool: operation, argsDigest: NO_ARGUMENTS, decision, requestId, via }
    const entries = named.map(({ name, details }): AuditEntry => ({ ...run, name, ...(details && { details }) }))
    try {
      await parts.audit.append(tenantId, entries)
    } catch (error) {
      parts.log.error({ operation, tenantId, requestId, err: error }, 'the audit trail could not be written')
    }
  }
  const durationMs = performance.now() - startedAt
  parts.observe({ tool: operation, kind: 'run', tenantId, principal, via, outcome: decision, durationMs })
}

const NO_ARGUMENTS = argumentsDigest({})
