import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { cutText, defined, type Resolved, toolbox } from '@gateway/sdk'

export const endUses = { queue: taskQueue, toolbox }

const OPEN: readonly Task['status'][] = ['pending', 'working', 'review', 'paused']
const MAX_ERROR = 20_000
/** Prefix of the ids of messages. */
const MAIL_ID = 'mail-'

export interface Result {
  readonly taskId: string
  readonly claimId: string | undefined
  readonly outcome: 'done' | 'failed'
  readonly summary: string | undefined
}

/**
 * Ends a task by its result, like its worker and as the caller: done completes it, failed follows the rules of tasks_fail. A task that
 * has ended already, that is not being worked on and failed, or that is gone, stays as it is. Throws CONFLICT for a `claimId`
 * whose claim is over. Returns whether it was this call that ended it.
 */
export async function endTask(
  { queue, toolbox }: Resolved<typeof endUses>,
  { taskId, claimId, outcome, summary }: Result,
): Promise<boolean> {
  const task = await queue.get(taskId)
  if (!task) return false
  // A task that did not come from mail waits in review for its reviewer.
  if (task.status === 'review' && !task.sourceId?.startsWith(MAIL_ID)) return false
  const ended = { taskId, ...defined({ claimId }) }
  if (outcome === 'done' && OPEN.includes(task.status)) {
    await toolbox.call('tasks_update', { ...ended, status: 'done' })
    return true
  }
  if (outcome === 'failed' && task.status === 'working') {
    const error = summary?.trim() ? summary : 'Its worker reported a failure by mail.'
    await toolbox.call('tasks_fail', { ...ended, error: cutText(error, MAX_ERROR) })
    return true
  }
  return false
}
