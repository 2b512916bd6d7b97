import { type CallContext, defined, gatewayNodes, isToolError, now, type OnBehalf, type Resolved, toolbox, type Update } from '@gateway/sdk'
import { scheduleRunner } from '../api.ts'
import { schedules } from '../collections.ts'
import { config } from '../config.ts'
import { failure, type Outcome, success } from '../rules/outcome.ts'
import { toolCallOf } from '../rules/tool-call.ts'
import type { Run, Schedule } from '../schema.ts'
import { deliverKept } from './deliver.ts'
import { keepRun, keepUses } from './keep-run.ts'

export const runUses = { schedules, toolbox, runners: scheduleRunner, config, live: gatewayNodes, ...keepUses }

type Refs = Resolved<typeof runUses>

/**
 * Seconds before the end of the store's lease at which a run is told to end: this process, which knows the reason, then reports
 * it.
 */
const AHEAD_SECONDS = 5

/**
 * Marks a run as under way. Together with `idle` in the filter, only one run of a schedule is under way at a time, regardless of
 * its starter.
 */
export async function begun({ config, live }: Refs, ctx: CallContext) {
  const runNode = (await live.list()).find(({ self }) => self)?.nodeId
  return { runId: ctx.newId('run-'), runStartedAt: now(), runLeaseUntil: now(config.runLeaseSeconds), ...defined({ runNode }) }
}

/** No run is under way, and no lost run is still unnoticed. */
export const idle = { runId: null } as const

/**
 * Makes the call of a run that has begun, keeps the run and delivers its result. Returns the schedule after it, and the run;
 * `undefined` when the schedule is gone, or the run was given up.
 */
export async function executeOrder(refs: Refs, schedule: Schedule, as: Acting, ctx: CallContext): Promise<Ended | undefined> {
  const outcome = await attempt(refs, schedule, as, ctx)
  // Includes the request id of the failed call, which the error itself may only hint at.
  if (outcome.status === 'error')
    ctx.log.warn('a run of a schedule ended in error', { scheduleId: schedule.scheduleId, error: outcome.error })
  const done = await settle(refs, schedule, outcome)
  if (done) await deliverKept(refs, done.run.runId, ctx)
  return done
}

/** The principal of a run; the run fails if it cannot be found out. */
type Acting = OnBehalf | Promise<OnBehalf>

export interface Ended {
  readonly schedule: Schedule
  readonly run: Run
}

/** Records the end of a run and keeps the run, in one step. `undefined` when the schedule is gone, or another has recorded it. */
export function settle(refs: Refs, { scheduleId, runId = '', runStartedAt = '' }: Schedule, outcome: Outcome): Promise<Ended | undefined> {
  return refs.atomically(async (tx) => {
    const schedule = await refs.schedules.in(tx).updateOne(scheduleId, ended(runStartedAt, outcome), { runId: runId || null })
    if (!schedule) return undefined
    const run = { runId, startedAt: runStartedAt, endedAt: tx.now.toISOString(), ...outcome }
    await keepRun(refs, schedule, run, tx)
    return { schedule, run }
  })
}

async function attempt({ toolbox, runners, config }: Refs, schedule: Schedule, acting: Acting, ctx: CallContext): Promise<Outcome> {
  const overdue = new Error(`The run took longer than its lease of ${config.runLeaseSeconds} s. It was cancelled and is not repeated.`)
  const lease = new AbortController()
  const timer = setTimeout(() => lease.abort(overdue), (config.runLeaseSeconds - AHEAD_SECONDS) * 1000).unref()
  try {
    const as = await acting
    const { tool, args } = toolCallOf(schedule, runners)
    // A call that ignores the signal is not awaited: it would keep its slot for good.
    const { result } = await Promise.race([toolbox.call(tool, args, { as, signal: lease.signal }), rejectedBy(lease.signal)])
    return success(result)
  } catch (error) {
    if (lease.signal.aborted) return failure(overdue.message)
    if (isToolError(error)) return failure(error.message)
    ctx.log.error('a schedule could not be run', { scheduleId: schedule.scheduleId, err: error })
    return failure('The run failed inside the gateway; its log has the reason.')
  } finally {
    clearTimeout(timer)
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

const underWay = ['runId', 'runStartedAt', 'runNode', 'runLeaseUntil'] as const

function ended(lastRun: string, { status: lastStatus, error: lastError }: Outcome): Update<Schedule> {
  if (lastError === undefined) return { set: { lastRun, lastStatus }, unset: [...underWay, 'lastError'] }
  return { set: { lastRun, lastStatus, lastError }, unset: underWay }
}
