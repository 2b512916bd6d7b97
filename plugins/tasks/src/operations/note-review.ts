import type { CodeReview } from '@gateway/plugin-webhooks/api'
import { cutText, defined, type Resolved, type Transaction } from '@gateway/sdk'
import { taskReviewed } from '../api.ts'
import { config } from '../config.ts'
import { withNote } from '../rules/notes.ts'
import { reviewed, reviewNote } from '../rules/reviewed.ts'
import type { Task } from '../schema.ts'
import { changeUses, writeChange } from './change.ts'
import { workerOf } from './history.ts'

export const noteReviewUses = { ...changeUses, taskReviewed, config }

const MAX_TOLD = 2_000

/**
 * Notes a review or a comment of a pull request on its task, and publishes it for the worker. Requested changes send a task in review
 * back. False if the task is done: its review came too late.
 */
export async function noteReview(refs: Resolved<typeof noteReviewUses>, task: Task, review: CodeReview, tx: Transaction): Promise<boolean> {
  if (task.status === 'done') return false
  const noted = { ...task, notes: withNote(task.notes, reviewNote(review)) }
  const after = await writeChange(refs, task, refs.config.mergeCompletes ? reviewed(noted, review, tx.now) : noted, tx)
  const { taskId, repo, title, prUrl } = task
  const { changesRequested, by, text, file, line, url } = review
  const worker = await workerOf(refs, task, tx)
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`
  const told = defined({ worker, by, prUrl, text: text === undefined ? undefined : cutText(text, MAX_TOLD), place, url })
  await refs.taskReviewed.emit({ taskId, repo, title, status: after.status, changesRequested, ...told, at: after.updatedAt }, tx)
  return true
}
