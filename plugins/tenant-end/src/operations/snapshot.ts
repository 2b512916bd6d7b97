import { type CallContext, gatewayWide, type Resolved, tenantAdmin } from '@gateway/sdk'
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
    const mrrUsd = monthlyUsd({ plan, status, cancelledAt }, config.planUsd)
    const snapshot = { plan, status, mrrUsd, at }
    await snapshots.writable().upsert({ snapshotId: `${tenantId}:${day}`, tenantId, day, ...snapshot }, { set: snapshot })
    return mrrUsd
  }
  let totalUsd = 0
  for (let from = 0; from < alive.length; from += AT_ONCE) {
    ctx.signal.throwIfAborted()
    for (const mrrUsd of await Promise.all(alive.slice(from, from + AT_ONCE).map(take))) totalUsd += mrrUsd
  }
  return { day, count: alive.length, totalUsd }
}
