import { type CallContext, gatewayWide, type Resolved, tenantAdmin } from '@gateway/sdk'
import { snapshots } from '../collections.ts'
import { config } from '../config.ts'
import { monthlyUsd } from '../rules/monthly-usd.ts'

export const snapshotUses = { tenants: tenantAdmin, config, snapshots: gatewayWide(snapshots) }

/** One snapshot for each tenant that is not deleted; that of the same UTC day is written over. */
export async function takeSnapshots({ tenants, config, snapshots }: Resolved<typeof snapshotUses>, ctx: CallContext) {
  const at = ctx.now().toISOString()
  const day = at.slice(0, 10)
  const taken = { day, count: 0, totalUsd: 0 }
  for (const { tenantId, plan, status, cancelledAt } of await tenants.list()) {
    if (status === 'deleted') continue
    ctx.signal.throwIfAborted()
    const mrrUsd = monthlyUsd({ plan, status, cancelledAt }, config.planUsd)
    const snapshot = { plan, status, mrrUsd, at }
    await snapshots.writable().upsert({ snapshotId: `${tenantId}:${day}`, tenantId, day, ...snapshot }, { set: snapshot })
    taken.count += 1
    taken.totalUsd += mrrUsd
  }
  return taken
}
