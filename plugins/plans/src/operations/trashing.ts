import { trashBin } from '@gateway/plugin-trash/api'
import { type CallContext, callerName, type Resolved, type Transaction } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { MAX_DAY, type PlanDay } from '../schema.ts'

export const TRASH_KIND = 'plan'
export const trashUses = { planDays, trash: trashBin }

export interface Trashed {
  readonly trashId: string
  readonly days: readonly PlanDay[]
}

/** Moves the whole plan of a repo into one entry of the trash; `undefined` if the repo has no plan. */
export async function trashPlan(
  { planDays, trash }: Resolved<typeof trashUses>,
  { repo, reason }: { repo: string; reason?: string | undefined },
  ctx: CallContext,
  tx: Transaction,
): Promise<Trashed | undefined> {
  const { items: days } = await planDays.in(tx).find({ where: { repo }, sort: { day: 1 }, limit: MAX_DAY })
  if (days.length === 0) return undefined
  await planDays.in(tx).deleteMany({ repo })
  const entry = await trash.put(
    { kind: TRASH_KIND, itemId: repo, ...summary(repo, days), repo, deletedBy: callerName(ctx.principal), reason, payload: days },
    tx,
  )
  return { trashId: entry.trashId, days }
}

export function summary(repo: string, days: readonly PlanDay[]): { label: string; itemCount: number } {
  return { label: `Plan of ${repo}, ${days.length} ${days.length === 1 ? 'day' : 'days'}`, itemCount: days.length }
}
