import type { ServiceClient } from '@gateway/sdk'
import { changeTask } from './change-task.ts'
import { refusalCode } from './service-error.ts'

interface Kept {
  readonly taskId: string
  readonly machine: string
  /** The sentence that says where the work is. */
  readonly note: string
}

/** Adds to the notes of a task that a run did not deliver and where its work is. It needs no claim, because the run has lost it. */
export async function noteKept(client: ServiceClient, { taskId, machine, note }: Kept, until: number): Promise<void> {
  const line = { note: `A run on ${machine} did not deliver. ${note}` }
  await changeTask(client, taskId, (task) => (task.notes?.includes(note) ? undefined : line), until).catch((error: Error) => {
    if (refusalCode(error) === undefined) throw error
  })
}
