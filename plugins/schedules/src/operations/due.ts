import { type CallContext, now, type Query, type Resolved } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'
import { failure } from '../rules/outcome.ts'
import type { Schedule } from '../schema.ts'
import { endWithKey, keyUses, standing } from './hand-over.ts'
import { begun, executeOrder, idle, runUses, settle } from './run.ts'

export const dueUses = { ...runUses, ...keyUses }
type Refs = Resolved<typeof dueUses>

/** Schedules that are due now, longest first. */
export const due = { where: { enabled: true, nextRun: { lte: now() }, ...idle }, sort: { nextRun: 1 } } as const satisfies Query<Schedule>

export const lost = { where: { runLeaseUntil: { lte: now() } }, sort: { runLeaseUntil: 1 } } as const satisfies Query<Schedule>

/**
 * Runs a schedule that was seen to be due. Of all processes that saw it, the one that moves `nextRun` runs it. The next run
 * counts from now, so one run makes up for any number of missed ones. A schedule whose key is void is switched off instead.
 */
export async function fire(refs: Refs, schedule: Schedule, ctx: CallContext): Promise<void> {
  const { scheduleId, cronExpr, nextRun, updatedAt } = schedule
  const answers = await standing(refs, schedule.actsAs, ctx.tenantId)
  if (!answers) return endWithKey(refs, schedule)
  // A clock behind the store’s would find the same time again.
  const after = new Date(Math.max(ctx.now().getTime(), Date.parse(nextRun)))
  const next = cronTimes(cronExpr).next(after).toISOString()
  // A schedule that was changed meanwhile is read again, since another principal may answer for it.
  const seen = { enabled: true, nextRun, updatedAt, ...idle }
  const mine = await refs.schedules.updateOne(scheduleId, { set: { nextRun: next, ...begun(refs, ctx) } }, seen)
  if (mine) await executeOrder(refs, mine, answers, ctx)
}

/** Records that a run was lost. It is not repeated, because its progress is unknown. */
export async function giveUp(refs: Refs, schedule: Schedule): Promise<void> {
  const error = `The run that began at ${schedule.runStartedAt} did not end: its process stopped, or it took longer than its lease. It was not repeated.`
  await settle(refs, schedule, failure(error))
}
