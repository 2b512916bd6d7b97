import { atomically, BadRequest, type CallContext, type Resolved } from '@gateway/sdk'
import { NotEntitled, PlanLimitReached } from '../errors.ts'
import { meterId, resetsAt } from '../rules/month.ts'
import { type Counted, type Feature, type Monthly, plansWith } from '../rules/plans.ts'
import { planOf } from './plan.ts'
import { countedNow, snapshotUses } from './snapshot.ts'

export const askUses = { ...snapshotUses, atomically }
type Refs = Resolved<typeof askUses>

export async function requireFeature(refs: Refs, feature: Feature, ctx: CallContext): Promise<void> {
  const { plan, terms } = await planOf(refs, ctx)
  if (!terms.features[feature]) throw NotEntitled({ feature, plan, plans: [...plansWith(feature, refs.config.plans)] })
}

export async function requireRoom(refs: Refs, limit: Counted, more: number, ctx: CallContext): Promise<void> {
  const { plan, terms } = await planOf(refs, ctx)
  const allowed = terms.limits[limit]
  if (allowed === null) return
  const used = (await countedNow(refs, limit)) ?? 0
  if (used + more > allowed) throw PlanLimitReached({ limit, plan, allowed, used, wanted: more })
}

/** What has no limit is counted all the same: the plan may change within the month. */
export async function consume(refs: Refs, limit: Monthly, amount: number, ctx: CallContext): Promise<void> {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER))
    throw BadRequest({ field: 'amount', message: `\`amount\` must not be negative; got ${amount}.` })
  const { plan, terms } = await planOf(refs, ctx)
  const allowed = terms.limits[limit]
  await refs.atomically(async (tx) => {
    const id = meterId(limit, tx.now)
    const meters = refs.meters.in(tx)
    const used = (await meters.get(id))?.used ?? 0
    if (allowed !== null && used + amount > allowed) {
      throw PlanLimitReached({ limit, plan, allowed, used, wanted: amount, resetsAt: resetsAt(tx.now) })
    }
    await meters.upsert({ meterId: id, used: amount, since: tx.now.toISOString() }, { inc: { used: amount } })
  })
}
