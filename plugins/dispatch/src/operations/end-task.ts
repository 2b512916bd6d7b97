import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { cutText, type Resolved, toolbox } from '@gateway/sdk'

export const endUses = { queue: taskQueue, toolbox }

const OPEN: readonly Task['status'][] = ['pending', 'working', 'review', 'paused']
const MAX_ERROR = 20_000

export interface Result {
  readonly taskId: string
  readonly outcome: 'done' | 'failed'
  readonly summary: string | undefined
}

/**
 * Ends a task by its result, like its worker and as the caller: done completes it, failed follows the rules of tasks_fail. A task that
 * has ended already, that is not being worked on and failed, or that is gone, stays as it is.
 */
export async function endTask({ queue, toolbox }: Resolved<typeof endUses>, { taskId, outcome, summary }: Result): Promise<void> {
  const task = await queue.get(taskId)
  if (!task) return
  if (outcome === 'done' && OPEN.includes(task.status)) await toolbox.call('tasks_update', { taskId, status: 'done' })
  if (outcome === 'failed' && task.status === 'working') {
    const error = summary?.trim() ? summary : 'Its worker reported a failure by mail.'
    await toolbox.call('tasks_fail', { taskId, error: cutText(error, MAX_ERROR) })
  }
}
