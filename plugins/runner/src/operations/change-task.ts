import type { ServiceClient } from '@gateway/sdk'
import type { Task } from '../schema.ts'
import { persist, refusalCode } from './service-error.ts'

interface Change {
  readonly status?: string
  /** The line that is added to the notes. */
  readonly note?: string
}

/** Each try begins with the task as it is, since others may write to it. */
const MAX_TRIES = 5
const MAX_NOTES = 49_000

/**
 * Changes a task by what it says now; nothing is overwritten that others write meanwhile. Returns true if it was changed, and false if
 * it is gone or `changeOf` asks for nothing. Calls that fail in a passing way are repeated until `until`.
 */
export async function changeTask(
  client: ServiceClient,
  taskId: string,
  changeOf: (task: Task) => Change | undefined,
  until = 0,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const { task } = (await persist(() => client.get(`/api/tasks/${encodeURIComponent(taskId)}`), until)) as { task: Task }
      const change = changeOf(task)
      if (change === undefined) return false
      const { note, status } = change
      const notes = [task.notes, note].filter(Boolean).join('\n\n').slice(-MAX_NOTES)
      const update = { taskId, notes, ...(status !== undefined && { status }), ifUpdatedAt: task.updatedAt }
      await persist(() => client.call('tasks_update', update), until)
      return true
    } catch (error) {
      if (refusalCode(error) === 'NOT_FOUND') return false
      if (refusalCode(error) !== 'CONFLICT' || tries === MAX_TRIES) throw error
    }
  }
}
