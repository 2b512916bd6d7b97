import type { CodeCheck } from '@gateway/plugin-webhooks/api'
import { defined, type Resolved, type Transaction } from '@gateway/sdk'
import { checkFailed } from '../api.ts'
import { withNote } from '../rules/notes.ts'
import type { Task } from '../schema.ts'
import { changeUses, writeChange } from './change.ts'
import { workerOf } from './history.ts'

export const failCheckUses = { ...changeUses, checkFailed }

/**
 * Notes a failed check on a task that is not done, and publishes it for the worker of the task. False if the check of this commit
 * is noted already.
 */
export async function failCheck(refs: Resolved<typeof failCheckUses>, task: Task, check: CodeCheck, tx: Transaction): Promise<boolean> {
  const { name, commit, summary, url } = check
  const note = [`The check “${name}” of ${commit.slice(0, 12)} failed`, summary, url].filter((part) => part !== undefined).join(': ')
  if (task.status === 'done' || task.notes?.includes(note)) return false
  const after = await writeChange(refs, task, { ...task, notes: withNote(task.notes, note) }, tx)
  const { taskId, repo, title, prUrl } = task
  const worker = await workerOf(refs, task, tx)
  const at = after.updatedAt
  await refs.checkFailed.emit({ taskId, repo, title, check: name, commit, at, ...defined({ worker, prUrl, summary, url }) }, tx)
  return true
}
