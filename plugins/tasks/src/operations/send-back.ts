import { atomically, Conflict, NotFound, type Resolved } from '@gateway/sdk'
import { withNote } from '../rules/notes.ts'
import { moved } from '../rules/state.ts'
import type { Task } from '../schema.ts'
import { changeUses, writeChange } from './change.ts'

export const sendBackUses = { ...changeUses, atomically }

/** Makes a task in review pending, with a note. A task that has left review meanwhile is not touched. Returns it as it is and was. */
export function sendBack(refs: Resolved<typeof sendBackUses>, taskId: string, note: string): Promise<{ task: Task; was: Task }> {
  return refs.atomically(async (tx) => {
    const task = await refs.tasks.in(tx).get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    if (task.status !== 'review')
      throw Conflict({ field: 'taskId', message: `\`taskId\` must name a task in review; ${taskId} is ${task.status}.` })
    const notes = withNote(task.notes, `Sent back: ${note}`)
    return { task: await writeChange(refs, task, moved({ ...task, notes }, 'pending', tx.now), tx), was: task }
  })
}
