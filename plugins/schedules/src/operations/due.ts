import { type CallContext, now, type Query, type Resolved } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'
import { failure } from '../rules/outcome.ts'
import type { Schedule } from '../schema.ts'
import { deliverKept } from './deliver.ts'
import { keyUses, standing } from './hand-over.ts'
import { keepRun } from './keep-run.ts'
import { begun, executeOrder, idle, runUses } from './run.ts'

export const dueUses = { ...runUses, ...keyUses }
type Refs = Resolved<typeof dueUses>

/** Schedules that are due now, longest first. */
export const due = { where: { enabled: true, nextRun: { lte: now() }, ...idle }, sort: { nextRun: 1 } } as const satisfies Query<Schedule>

/**
 * Runs a schedule that was seen to be due. Of all processes that saw it, the one that moves `nextRun` runs it. The next run
 * counts from now, so one run makes up for any number of missed ones. A schedule whose key is void is switched off instead.
 */
export async function fire(refs: Refs, schedule: Schedule, ctx: CallContext): Promise<void> {
  const { scheduleId, cronExpr, nextRun, updatedAt } = schedule
  const answers = await standing(refs, schedule.actsAs, ctx.tenantId)
  if (!answers) return endWithKey(refs, schedule, ctx)
  // A clock behind the store’s would find the same time again.
  const after = new Date(Math.max(ctx.now().getTime(), Date.parse(nextRun)))
  const next = cronTimes(cronExpr).next(after).toISOString()
  // A schedule that was changed meanwhile is read again, since another principal may answer for it.
  const seen = { enabled: true, nextRun, updatedAt, ...idle }
  const mine = await refs.schedules.updateOne(scheduleId, { set: { nextRun: next, ...(await begun(refs, ctx)) } }, seen)
  if (mine) await executeOrder(refs, mine, answers, ctx)
}

const ENDED =
  'The API key it was made with has ended, or the member who made it was removed, so the schedule was disabled. A principal who changes it becomes responsible for it.'

/** Ends a schedule with its key: it is disabled, and the reason is kept as a run. It waits for a person in the attention queue. */
async function endWithKey(refs: Refs, { scheduleId, nextRun, updatedAt }: Schedule, ctx: CallContext): Promise<void> {
  const runId = ctx.newId('run-')
  const ended = await refs.atomically(async (tx) => {
    const at = tx.now.toISOString()
    const set = { enabled: false, disabledAt: at, lastRun: at, lastStatus: 'error', lastError: ENDED, updatedAt: at } as const
    const schedule = await refs.schedules.in(tx).updateOne(scheduleId, { set }, { enabled: true, nextRun, updatedAt, ...idle })
    if (schedule) await keepRun(refs, schedule, { runId, startedAt: at, endedAt: at, ...failure(ENDED) }, tx)
    return schedule
  })
  if (!ended) return
  ctx.log.warn('a schedule was disabled: its key has ended, or its member was removed', { scheduleId })
  await deliverKept(refs, runId, ctx)
}
