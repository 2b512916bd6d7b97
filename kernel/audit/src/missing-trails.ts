import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TrailEnds } from './ends.ts'

export interface AuditLog {
  error(fields: object, message: string): void
}

/** Logs each trail that the store knows and that is missing. It runs in the background, so that a start does not wait for it. */
export async function reportMissingTrails(dir: string, ends: TrailEnds, log: AuditLog, isOver: () => boolean): Promise<void> {
  try {
    for await (const { tenantId, seq } of ends.all()) {
      if (isOver()) return
      // A trail of a tenant that ended meanwhile is missing for a good reason.
      if (existsSync(join(dir, tenantId)) || (await ends.of(tenantId)) === undefined) continue
      log.error({ tenantId, seq }, 'the audit trail of a tenant is gone; see `gateway audit verify`')
    }
  } catch (err) {
    log.error({ err }, 'the check for missing audit trails failed')
  }
}
