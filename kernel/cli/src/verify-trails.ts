import { type AuditFault, type AuditSummary, auditedTenants, verifyAudit } from '@gateway/audit'

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
  for (const one of tenants) {
    const found: AuditFault[] = []
    const summary = await verifyAudit(dir, one, (fault) => {
      if (found.length < MOST_FAULTS) found.push(fault)
    })
    results.push({ ...summary, found })
  }
  return results
}
