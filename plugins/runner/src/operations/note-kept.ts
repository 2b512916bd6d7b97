import type { ServiceClient } from '@gateway/sdk'
import type { Task } from '../schema.ts'
import { persist, refusalCode } from './service-error.ts'

interface Kept {
  readonly taskId: string
  readonly machine: string
  /** The sentence that says where the work is. */
  readonly note: string
}

/** Each try begins with the notes as they are, since others may write to the task. */
const MAX_TRIES = 5

/** Adds to the notes of a task that a run did not deliver and where its work is. It needs no claim, because the run has lost it. */
export async function noteKept(client: ServiceClient, { taskId, machine, note }: Kept, until: number): Promise<void> {
  const line = `A run on ${machine} did not deliver. ${note}`
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      const { task } = (await persist(() => client.get(`/api/tasks/${encodeURIComponent(taskId)}`), until)) as { task: Task }
      if (task.notes?.includes(note)) return
      const notes = [task.notes, line].filter(Boolean).join('\n\n').slice(-49_000)
      await persist(() => client.call('tasks_update', { taskId, notes, ifUpdatedAt: task.updatedAt }), until)
      return
    } catch (error) {
      if (refusalCode(error) === undefined) throw error
      if (refusalCode(error) === 'NOT_FOUND') return
    }
  }
}
