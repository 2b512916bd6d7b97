import { type CallContext, cutText, isToolError, now, type OnBehalf, type Resolved, toolbox, type Update } from '@gateway/sdk'
import { scheduleRunner } from '../api.ts'
import { schedules } from '../collections.ts'
import { config } from '../config.ts'
import { toolCallOf } from '../rules/tool-call.ts'
import type { Schedule } from '../schema.ts'

export const runUses = { schedules, toolbox, runners: scheduleRunner, config }
type Refs = Resolved<typeof runUses>

const MAX_ERROR = 2_000
/**
 * Seconds before the end of the store's lease at which a run is told to end: this process, which knows the reason, then reports
 * it.
 */
const AHEAD_SECONDS = 5

/**
 * Marks a run as under way. Together with `idle` in the filter, only one run of a schedule is under way at a time, regardless of
 * its starter.
 */
export function begun({ config }: Refs, ctx: CallContext) {
  return { runId: ctx.newId('run-'), runStartedAt: now(), runLeaseUntil: now(config.runLeaseSeconds) }
}

/** No run is under way, and no lost run is still unnoticed. */
export const idle = { runId: null } as const

/**
 * Makes the call of a run that has begun, and records its outcome. Returns the schedule after it; `undefined` when it is gone, or
 * the run was given up.
 */
export async function carryOut(refs: Refs, schedule: Schedule, as: OnBehalf, ctx: CallContext): Promise<Schedule | undefined> {
  const error = await attempt(refs, schedule, as, ctx)
  // Includes the request id of the failed call, which the error itself may only hint at.
  if (error !== undefined) ctx.log.warn('a run of a schedule ended in error', { scheduleId: schedule.scheduleId, error })
  return refs.schedules.updateOne(schedule.scheduleId, ended(schedule, error), { runId: schedule.runId ?? null })
}

/** Returns the error, if the call failed. */
async function attempt(
  { toolbox, runners, config }: Refs,
  schedule: Schedule,
  as: OnBehalf,
  ctx: CallContext,
): Promise<string | undefined> {
  const overdue = new Error(`The run took longer than its lease of ${config.runLeaseSeconds} s. It was told to end, and is not repeated.`)
  const lease = new AbortController()
  const timer = setTimeout(() => lease.abort(overdue), (config.runLeaseSeconds - AHEAD_SECONDS) * 1000).unref()
  try {
    const { tool, args } = toolCallOf(schedule, runners)
    // A call that ignores the signal is not awaited: it would keep its slot for good.
    await Promise.race([toolbox.call(tool, args, { as, signal: lease.signal }), rejectedBy(lease.signal)])
    return undefined
  } catch (error) {
    if (lease.signal.aborted) return overdue.message
    if (isToolError(error)) return error.message
    ctx.log.error('a schedule could not be run', { scheduleId: schedule.scheduleId, err: error })
    return 'The run failed inside the gateway; its log has the reason.'
  } finally {
    clearTimeout(timer)
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

const underWay = ['runId', 'runStartedAt', 'runLeaseUntil'] as const

/** Returns the update that records the end of a run. */
export function ended({ runStartedAt }: Schedule, error: string | undefined): Update<Schedule> {
  if (error === undefined) return { set: { lastRun: runStartedAt, lastStatus: 'success' }, unset: [...underWay, 'lastError'] }
  return { set: { lastRun: runStartedAt, lastStatus: 'error', lastError: cutText(error, MAX_ERROR) }, unset: underWay }
}
