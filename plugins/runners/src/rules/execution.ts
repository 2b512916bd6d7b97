import type { Task } from '@gateway/plugin-tasks/api'

type Ran = Pick<Task, 'status' | 'retryCount'>
const ENDS: readonly Task['status'][] = ['done', 'review', 'blocked', 'dead_letter']

/** True if a change of a task ended an execution: work that was finished or failed. Returning a task unworked does not count. */
export function endsExecution(before: Ran, after: Ran): boolean {
  return before.status === 'working' && (ENDS.includes(after.status) || after.retryCount > before.retryCount)
}

/** True if the execution that a change ended has failed: it is tried again, blocked, or needs someone. */
export const hasFailed = ({ status }: Pick<Task, 'status'>): boolean => status !== 'done' && status !== 'review'

export const STEP_SECONDS = 600

export function stepOf(time: Date): string {
  const step = STEP_SECONDS * 1000
  return new Date(Math.floor(time.getTime() / step) * step).toISOString()
}
