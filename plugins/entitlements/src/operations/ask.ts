import { atomically, BadRequest, type CallContext, type Resolved } from '@gateway/sdk'
import type { PlanBound } from '../api.ts'
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
  const bound = await boundOf(refs, limit, ctx)
  if (bound.allowed !== null) bound.check((await countedNow(refs, limit)) ?? 0, more)
}

export async function boundOf(refs: Refs, limit: Counted, ctx: CallContext): Promise<PlanBound> {
  const { plan, terms } = await planOf(refs, ctx)
  const allowed = terms.limits[limit]
  return {
    allowed,
    check(used, more = 1) {
      if (allowed !== null && used + more > allowed) throw PlanLimitReached({ limit, plan, allowed, used, wanted: more })
    },
  }
}

/** Never below zero: a new month may have begun in between. */
export async function giveBack(refs: Refs, limit: Monthly, amount: number): Promise<void> {
  await refs.atomically(async (tx) => {
    const id = meterId(limit, tx.now)
    const used = (await refs.meters.in(tx).get(id))?.used ?? 0
    if (used > 0) await refs.meters.in(tx).updateOne(id, { set: { used: Math.max(0, used - amount) } })
  })
}

/** Unlimited usage is counted all the same, because the plan may change within the month. */
export async function consume(refs: Refs, limit: Monthly, amount: number, ctx: CallContext): Promise<void> {
  const { plan, terms } = await planOf(refs, ctx)
  const allowed = terms.limits[limit]
  await take(refs, limit, amount, (used, now) => {
    if (allowed === null || used + amount <= allowed) return
    throw PlanLimitReached({ limit, plan, allowed, used, wanted: amount, resetsAt: resetsAt(now) })
  })
}

export const count = (refs: Refs, limit: Monthly, amount: number): Promise<void> => take(refs, limit, amount, () => undefined)

async function take(refs: Refs, limit: Monthly, amount: number, check: (used: number, now: Date) => void): Promise<void> {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER))
    throw BadRequest({ field: 'amount', message: `\`amount\` must not be negative; got ${amount}.` })
  await refs.atomically(async (tx) => {
    const id = meterId(limit, tx.now)
    const meters = refs.meters.in(tx)
    check((await meters.get(id))?.used ?? 0, tx.now)
    await meters.upsert({ meterId: id, used: amount, since: tx.now.toISOString() }, { inc: { used: amount } })
  })
}
