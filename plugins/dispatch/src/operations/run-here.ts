import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { type CallContext, cutText, defined, isToolError, type Resolved, toolbox, Unavailable } from '@gateway/sdk'
import { type AgentResult, type DispatchRunner, dispatchRunner, type RoutingStamps } from '../api.ts'
import { type Ending, endingOf, failedEnding } from '../rules/ending.ts'
import type { Dispatched } from './dispatched.ts'
import { claimOf, LEASE_SECONDS, whileHeld } from './held-claim.ts'

export const runHereUses = { toolbox, queue: taskQueue, runners: dispatchRunner }
type Refs = Resolved<typeof runHereUses>

/** Pause of a task whose budget is used up, so that the next cycles do not ask again each time. */
const DEFER_SECONDS = 3_600
/** Pause of a task that no model took: a cycle leaves it alone for as long as none does. */
const NO_MODEL_DEFER_SECONDS = 60
const MAX_NOTES = 50_000
const MAX_ERROR = 20_000
const MAX_LINE = 500

export interface PlannedRun {
  readonly runner: DispatchRunner
  readonly stamps: RoutingStamps
}

/**
 * The run of a task whose agent runs here; `later` while no model takes its call. A task that cannot be planned is offered like those of
 * other agents, and keeps no other task from being dispatched.
 */
export async function plannedRun(
  { runners }: Pick<Refs, 'runners'>,
  task: Task,
  { log }: CallContext,
): Promise<PlannedRun | 'later' | undefined> {
  if (task.assignedAgent === undefined) return undefined
  for (const runner of runners) {
    try {
      const stamps = await runner.plan(task)
      if (stamps === 'later') return stamps
      if (stamps) return { runner, stamps }
    } catch (error) {
      log.warn('a task of an agent that runs here could not be planned', { taskId: task.taskId, err: error })
    }
  }
  return undefined
}

/**
 * Works like any worker, as the caller: the task is claimed and stamped, executed by the agent, and ended: done with the result in its notes,
 * failed by the rules of tasks, or deferred when a budget is used up. `undefined` if another caller has claimed it.
 */
export async function runHere(
  refs: Refs,
  { runner, stamps }: PlannedRun,
  { taskId, title, assignedAgent: agent = '' }: Task,
  overBudget: () => Promise<string | undefined>,
  ctx: CallContext,
): Promise<Dispatched | undefined> {
  const taking = { taskId, claimedBy: `dispatch/${agent}`, leaseSeconds: LEASE_SECONDS }
  const { claimed, task } = (await refs.toolbox.call('tasks_claim', taking)).result as { claimed: boolean; task?: Task }
  if (!claimed || !task) return undefined
  const startedAt = ctx.now()
  let result: AgentResult | undefined
  let ending: Ending
  try {
    await refs.toolbox.call('tasks_update', { ...claimOf(task), ...stamps })
    const message = [title, task.description].filter(Boolean).join('\n\n')
    const work = { taskId, agent, repo: task.repo, message, workType: stamps.workType, traceId: taskId, signal: ctx.signal, overBudget }
    result = await whileHeld(refs.toolbox, task, () => runner.run(work, task))
    ending = endingOf(result)
  } catch (error) {
    if (!isToolError(error)) ctx.log.error('an agent could not do its task', { taskId, agent, err: error })
    const noModel = isToolError(error) && error.code === Unavailable.code && (await plannedRun(refs, task, ctx)) === 'later'
    ending = failedEnding(error, noModel)
  }
  const ended = await end(refs, task, ending, result, ctx)
  await recordJob(refs, task, ended, result, startedAt, ctx)
  return { taskId, title, to: agent, outcome: ended.outcome, ...defined({ error: ended.reason }) }
}

/**
 * An expired lease, or a person who moved the task meanwhile, has ended the claim: then nothing of it is changed. The result joins the notes
 * as they are now, because others may have added to them during the run.
 */
async function end(
  { toolbox, queue }: Refs,
  claimed: Task,
  ending: Ending,
  result: AgentResult | undefined,
  ctx: CallContext,
): Promise<Ending> {
  const claim = claimOf(claimed)
  const task = (await queue.get(claimed.taskId)) ?? claimed
  const noted = result && { notes: notesOf(task, ending.text), outputTokens: result.outputTokens, ...result.stamps }
  try {
    if (ending.outcome === 'failed') {
      if (noted) await toolbox.call('tasks_update', { ...claim, ...noted })
      await toolbox.call('tasks_fail', { ...claim, error: cutText(ending.reason ?? '', MAX_ERROR) })
    } else if (ending.outcome === 'deferred') {
      const waits = { status: 'pending', pacingDefer: true, deferSeconds: ending.noModel ? NO_MODEL_DEFER_SECONDS : DEFER_SECONDS }
      await toolbox.call('tasks_update', { ...claim, ...waits, ...(noted ?? refusalOf(task, ending)) })
    } else {
      await toolbox.call('tasks_update', { ...claim, ...noted, status: ending.outcome })
    }
    return ending
  } catch (error) {
    if (!isToolError(error)) throw error
    ctx.log.warn('the result of an agent could not be written on its task', { taskId: task.taskId, err: error })
    return { ...ending, outcome: 'failed', reason: error.message }
  }
}

/** A task that was not begun says why, once. */
const refusalOf = (task: Task, { reason = '' }: Ending): object =>
  reason === '' || task.notes?.includes(reason) ? {} : { notes: notesOf(task, reason) }

/** Earlier notes stay above the result; a result that is too long for both takes precedence. */
function notesOf({ notes = '' }: Task, text: string): string {
  const result = cutText(text, MAX_NOTES)
  const room = MAX_NOTES - result.length - 2
  return notes === '' || room <= 0 ? result : `${cutText(notes, room)}\n\n${result}`
}

const JOB_STATUS = { done: 'done', review: 'no-result', deferred: 'no-result', failed: 'failed' } as const

/** The run stands in the job history, where that family runs and the caller may write. */
async function recordJob(
  { toolbox }: Refs,
  { taskId, repo }: Task,
  { outcome, text, reason }: Ending,
  result: AgentResult | undefined,
  startedAt: Date,
  ctx: CallContext,
): Promise<void> {
  if (!toolbox.get('job_history_record')) return
  const run = {
    taskId,
    repo,
    status: JOB_STATUS[outcome],
    machine: 'gateway',
    startedAtMs: startedAt.getTime(),
    durationSeconds: Math.max(0, (ctx.now().getTime() - startedAt.getTime()) / 1_000),
    ...defined({ model: result?.stamps.routedModel, errorExcerpt: reason && cutText(reason, MAX_LINE) }),
    ...(text !== '' && { resultLine: cutText(text.trim().split('\n')[0] ?? '', MAX_LINE) }),
  }
  await toolbox.call('job_history_record', run).catch((error: unknown) => {
    ctx.log.warn('a run of an agent could not be recorded in the job history', { taskId, err: error })
  })
}
