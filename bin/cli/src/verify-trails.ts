import { join } from 'node:path'
import { type AuditSummary, auditedTenants, type ChainPoint, storedEnds, verifyAudit } from '@gateway/audit'
import { chosenStore } from '@gateway/defaults/stores'
import type { AuditFault } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { RowReader } from '@gateway/storage'

export interface TrailResult extends AuditSummary {
  /** First faults; `faults` counts them all. */
  readonly found: readonly AuditFault[]
}

// A shuffled trail has a fault per record: the first ones are enough to tell the cause.
const MAX_FAULTS = 20

export interface Verified {
  readonly trails: readonly TrailResult[]
  /**
   * Reason why the store could not be asked for the ends of the trails: a trail that is missing as a whole is not noticed then.
   */
  readonly unasked?: string
}

/** Verifies the trail of one tenant, or of all that have one, or had one according to the store. */
export async function verifyTrails(settings: Settings, tenantId?: string): Promise<Verified> {
  const dir = join(settings.dataDir, 'audit')
  // Read before the trails: they only grow.
  const { ends, unasked } = await askStore(settings)
  const tenants = [...new Set([...(await auditedTenants(dir)), ...ends.keys()])].sort()
  const trails: TrailResult[] = []
  for (const one of tenants) if (tenantId === undefined || one === tenantId) trails.push(await verifyTrail(dir, one, ends.get(one)))
  return { trails, ...(unasked !== undefined && { unasked }) }
}

async function askStore(settings: Settings): Promise<{ ends: ReadonlyMap<string, ChainPoint>; unasked?: string }> {
  const kind = chosenStore(settings)
  let rows: RowReader | undefined
  try {
    rows = await kind.rows(settings)
    return { ends: rows === undefined ? new Map() : await storedEnds(rows, !kind.isEmbedded, settings.dataDir) }
  } catch (error) {
    return { ends: new Map(), unasked: (error as Error).message }
  } finally {
    await rows?.close()
  }
}

/** An unreadable path, such as a file in place of the folder, is a fault of that trail: the others are verified as well. */
async function verifyTrail(dir: string, tenantId: string, stored: ChainPoint | undefined): Promise<TrailResult> {
  const found: AuditFault[] = []
  try {
    const report = (fault: AuditFault): void => {
      if (found.length < MAX_FAULTS) found.push(fault)
    }
    const summary = await verifyAudit(dir, tenantId, report, { stored })
    return { ...summary, found }
  } catch (error) {
    const unread: AuditFault = { file: '', line: 0, seq: 0, kind: 'unreadable', message: `cannot be read: ${(error as Error).message}` }
    return { tenantId, files: 0, records: 0, faults: found.length + 1, notes: [], last: { seq: 0, hash: '' }, found: [...found, unread] }
  }
}
