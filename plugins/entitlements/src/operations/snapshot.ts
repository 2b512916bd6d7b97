import type { CallContext, Resolved } from '@gateway/sdk'
import { countedUse } from '../api.ts'
import { meters } from '../collections.ts'
import { meterId, resetsAt } from '../rules/month.ts'
import { COUNTED, type Counted, type Limit, MONTHLY, type Monthly } from '../rules/plans.ts'
import type { Entitlements, LimitStatus } from '../schema.ts'
import { planOf, planUses } from './plan.ts'

export const snapshotUses = { ...planUses, meters, counted: countedUse }
type Refs = Resolved<typeof snapshotUses>

export async function snapshot(refs: Refs, ctx: CallContext): Promise<Entitlements> {
  const { plan, terms } = await planOf(refs, ctx)
  const now = ctx.now()
  const limits: Partial<Record<Limit, LimitStatus>> = {}
  for (const name of COUNTED) limits[name] = statusOf(terms.limits[name], await countedNow(refs, name))
  for (const name of MONTHLY)
    limits[name] = { ...statusOf(terms.limits[name], await usedThisMonth(refs, name, now)), resetsAt: resetsAt(now) }
  return { plan, features: { ...terms.features }, limits }
}

/** Null if no running family counts them. */
export async function countedNow({ counted }: Pick<Refs, 'counted'>, limit: Counted): Promise<number | null> {
  const counts = await Promise.all(counted.filter((one) => one.limit === limit).map((one) => one.used()))
  return counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0)
}

async function usedThisMonth({ meters }: Pick<Refs, 'meters'>, limit: Monthly, now: Date): Promise<number> {
  return (await meters.get(meterId(limit, now)))?.used ?? 0
}

function statusOf(limit: number | null, used: number | null): LimitStatus {
  return { limit, used, remaining: limit === null ? null : Math.max(0, limit - (used ?? 0)) }
}
