import type { Task } from '@gateway/plugin-tasks/api'
import { type CallContext, cutText, defined, isToolError, type Resolved, toolbox } from '@gateway/sdk'
import { type DispatchRunner, dispatchRunner } from '../api.ts'
import type { Dispatched } from './cycle.ts'

export const runHereUses = { toolbox, runners: dispatchRunner }
type Refs = Resolved<typeof runHereUses>

/** A model answers long before that; a task whose cycle was killed is claimable again after it. */
const LEASE_SECONDS = 3_600
const MAX_NOTE = 50_000
const MAX_ERROR = 20_000

export async function runnerFor({ runners }: Refs, { assignedAgent }: Task): Promise<DispatchRunner | undefined> {
  if (assignedAgent === undefined) return undefined
  for (const runner of runners) if (await runner.knows(assignedAgent)) return runner
  return undefined
}

/**
 * Works like any worker, as the caller: the task is claimed, executed by the agent, and put into review, or failed and retried by
 * the rules of tasks. `undefined` if another
 * caller has claimed it.
 */
export async function runHere(
  { toolbox }: Refs,
  runner: DispatchRunner,
  { taskId, title, description, repo, assignedAgent: agent = '' }: Task,
  ctx: CallContext,
): Promise<Dispatched | undefined> {
  const taking = { taskId, claimedBy: `dispatch/${agent}`, leaseSeconds: LEASE_SECONDS }
  const { claimed, task } = (await toolbox.call('tasks_claim', taking)).result as { claimed: boolean; task?: Task }
  if (!claimed || !task) return undefined
  const claim = { taskId, ...defined({ claimId: task.claimId }) }
  const done = { taskId, title, to: agent }
  let error: string
  try {
    const message = [title, description].filter(Boolean).join('\n\n')
    const { text, outputTokens } = await runner.run({ agent, repo, message, traceId: taskId, signal: ctx.signal })
    await toolbox.call('tasks_update', { ...claim, status: 'review', notes: cutText(text, MAX_NOTE), outputTokens })
    return { ...done, outcome: 'review' }
  } catch (thrown) {
    if (!isToolError(thrown)) ctx.log.error('an agent could not do its task', { taskId, agent, err: thrown })
    error = isToolError(thrown) ? thrown.message : 'The agent failed, or its call was ended before it answered.'
  }
  // An expired lease has returned the task already.
  await toolbox.call('tasks_fail', { ...claim, error: cutText(error, MAX_ERROR) }).catch(() => undefined)
  return { ...done, outcome: 'failed', error }
}
