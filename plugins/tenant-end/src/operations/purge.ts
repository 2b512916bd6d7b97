import { type CallContext, type Infer, type Resolved, retentionRuns, tenantAdmin, tenantRemoval } from '@gateway/sdk'
import { config } from '../config.ts'
import { daysBefore } from '../rules/due.ts'
import type { PurgeResult } from '../schema.ts'

const trailUses = { tenants: tenantAdmin, removal: tenantRemoval, config }
export const purgeUses = { ...trailUses, retentions: retentionRuns }

/** Runs the retention of every family over all tenants, then that of the audit trails. A failure stops no other. */
export async function purge(refs: Resolved<typeof purgeUses>, ctx: CallContext): Promise<Infer<typeof PurgeResult>> {
  const removed: Record<string, number> = {}
  const failed: { what: string; error: string }[] = []
  for (const { id, run } of refs.retentions) {
    const [family = id] = id.split('.')
    try {
      for (const { result } of await run()) removed[family] = (removed[family] ?? 0) + result.purged
    } catch (error) {
      failed.push({ what: id, error: String(error) })
    }
  }
  const trails = await purgeTrails(refs, ctx)
  // Removed text is still in the pages of the store's files, and in its text index.
  await refs.removal.scrub()
  return { removed, ...trails, failed: [...failed, ...trails.failed] }
}

export async function purgeTrails({ tenants, removal, config }: Resolved<typeof trailUses>, ctx: CallContext) {
  const before = daysBefore(ctx.now(), config.auditRetentionDays).slice(0, 10)
  const held: string[] = []
  const failed: { what: string; error: string }[] = []
  let auditDays = 0
  for (const tenantId of await removal.trails()) {
    ctx.signal.throwIfAborted()
    try {
      if (await tenants.isHeld(tenantId)) held.push(tenantId)
      else auditDays += await removal.purgeTrail(tenantId, before)
    } catch (error) {
      failed.push({ what: `the audit trail of ${tenantId}`, error: String(error) })
    }
  }
  return { auditDays, held, failed }
}
