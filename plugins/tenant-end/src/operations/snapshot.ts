import { type CallContext, gatewayWide, type Resolved, tenantAdmin } from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import { snapshots } from '../collections.ts'
import { config } from '../config.ts'
import { monthlyUsd } from '../rules/monthly-usd.ts'

export const snapshotUses = { tenants: tenantAdmin, config, snapshots: gatewayWide(snapshots) }

/** Written together, so that they share their commits. */
const AT_ONCE = 100

/** Snapshot of each tenant that is not deleted; that of the same UTC day is overwritten. */
export async function takeSnapshots({ tenants, config, snapshots }: Resolved<typeof snapshotUses>, ctx: CallContext) {
  const at = ctx.now().toISOString()
  const day = at.slice(0, 10)
  const alive = (await tenants.list()).flatMap(({ status, ...tenant }) => (status === 'deleted' ? [] : [{ ...tenant, status }]))
  const take = async ({ tenantId, plan, status, cancelledAt }: (typeof alive)[number]): Promise<number> => {
    ctx.signal.throwIfAborted()
    const mrrUsd = monthlyUsd({ plan, status, cancelledAt }, config.planUsd)
    const snapshot = { plan, status, mrrUsd, at }
    await snapshots.writable().upsert({ snapshotId: `${tenantId}:${day}`, tenantId, day, ...snapshot }, { set: snapshot })
    return mrrUsd
  }
  const totalUsd = (await mapConcurrently(alive, AT_ONCE, take)).reduce((sum, mrrUsd) => sum + mrrUsd, 0)
  return { day, count: alive.length, totalUsd }
}
