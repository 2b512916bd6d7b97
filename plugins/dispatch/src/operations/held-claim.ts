import type { Task } from '@gateway/plugin-tasks/api'
import { defined, type Toolbox } from '@gateway/sdk'

/** Short, so that a task whose process was killed is soon claimable again; the process that works on it renews the lease. */
export const LEASE_SECONDS = 120

export const claimOf = ({ taskId, claimId }: Task) => ({ taskId, ...defined({ claimId }) })

/** Renews the lease of a claimed task at a third of its time, as its worker, until `work` ends. */
export async function whileHeld<T>(toolbox: Toolbox, task: Task, work: () => Promise<T>): Promise<T> {
  // A refused renewal means that the task was taken away; the write that ends it is refused with the reason.
  const renew = (): void => void toolbox.call('tasks_update', { ...claimOf(task), leaseSeconds: LEASE_SECONDS }).catch(() => {})
  const renewal = setInterval(renew, (LEASE_SECONDS / 3) * 1_000).unref()
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}
