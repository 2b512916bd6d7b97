import { type AuditSummary, auditedTenants, verifyAudit } from '@gateway/audit'
import type { AuditFault } from '@gateway/sdk'

export interface TrailResult extends AuditSummary {
  /** The first faults; `faults` counts them all. */
  readonly found: readonly AuditFault[]
}

// A trail that was shuffled has a fault per record: the first ones tell what happened.
const MOST_FAULTS = 20

/** Verify the trail of one tenant, or of all that have one. */
export async function verifyTrails(dir: string, tenantId?: string): Promise<readonly TrailResult[]> {
  const tenants = (await auditedTenants(dir)).filter((one) => tenantId === undefined || one === tenantId)
  const results: TrailResult[] = []
  for (const one of tenants) results.push(await verifyTrail(dir, one))
  return results
}

/** What cannot be read, such as a file where the folder belongs, is a fault of that trail: the others are looked at as well. */
async function verifyTrail(dir: string, tenantId: string): Promise<TrailResult> {
  const found: AuditFault[] = []
  try {
    const summary = await verifyAudit(dir, tenantId, (fault) => {
      if (found.length < MOST_FAULTS) found.push(fault)
    })
    return { ...summary, found }
  } catch (error) {
    const unread: AuditFault = { file: '', line: 0, seq: 0, kind: 'unreadable', message: `cannot be read: ${(error as Error).message}` }
    return { tenantId, files: 0, records: 0, faults: found.length + 1, notes: [], last: { seq: 0, hash: '' }, found: [...found, unread] }
  }
}
