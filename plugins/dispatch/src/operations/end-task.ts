import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { Conflict, cutText, defined, type Resolved, toolbox } from '@gateway/sdk'

export const endUses = { queue: taskQueue, toolbox }

const OPEN: readonly Task['status'][] = ['pending', 'working', 'review', 'paused']
const MAX_ERROR = 20_000

export interface Result {
  readonly taskId: string
  readonly claimId: string | undefined
  readonly outcome: 'done' | 'failed'
  readonly summary: string | undefined
}

/**
 * Ends a task by its result, like its worker and as the caller: done completes it, failed follows the rules of tasks_fail. A task that
 * has ended already, that is not being worked on and failed, or that is gone, stays as it is. Throws CONFLICT for a worker whose claim is
 * over.
 */
export async function endTask({ queue, toolbox }: Resolved<typeof endUses>, { taskId, claimId, outcome, summary }: Result): Promise<void> {
  const task = await queue.get(taskId)
  if (!task) return
  const ended = { taskId, ...defined({ claimId: claimId ?? firstClaim(task) }) }
  if (outcome === 'done' && OPEN.includes(task.status)) await toolbox.call('tasks_update', { ...ended, status: 'done' })
  if (outcome === 'failed' && task.status === 'working') {
    const error = summary?.trim() ? summary : 'Its worker reported a failure by mail.'
    await toolbox.call('tasks_fail', { ...ended, error: cutText(error, MAX_ERROR) })
  }
}

/** The claim with which a task came from its mail needs no quoting; a later one does, because its worker may have a predecessor. */
function firstClaim({ taskId, status, claimId, claimedAt, claimedBy, createdAt }: Task): string | undefined {
  if (status !== 'working' || claimedAt === undefined) return undefined
  if (claimedAt === createdAt) return claimId
  throw Conflict({
    field: 'claimId',
    message: `\`claimId\` is missing: task ${taskId} was claimed again by ${claimedBy}. Quote the claimId of your claim, or stop working on the task.`,
  })
}
