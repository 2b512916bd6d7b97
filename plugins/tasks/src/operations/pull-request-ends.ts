import type { Resolved, Transaction } from '@gateway/sdk'
import { pullRequestEnds } from '../collections.ts'
import { config } from '../config.ts'
import { type End, ended } from '../rules/merge.ts'
import { pullRequestKey } from '../rules/pull-request-key.ts'
import type { Plain } from '../rules/stage.ts'
import type { Task } from '../schema.ts'

export const endsUses = { pullRequestEnds, config }
type Refs = Resolved<typeof endsUses>

/** Keeps how a pull request ended, for tasks that name it later. One that is open again has not ended. */
export async function recordEnd({ pullRequestEnds }: Refs, url: string, state: 'open' | End, tx: Transaction): Promise<void> {
  const known = pullRequestEnds.in(tx)
  const prKey = pullRequestKey(url)
  const at = tx.now.toISOString()
  if (state === 'open') await known.updateOne(prKey, { set: { at }, unset: ['end', 'endedAt'] }, { end: 'closed' })
  // A later word about the same end does not make it younger than the work that followed.
  else if (!(await known.updateOne(prKey, { set: { at } }, { end: state })))
    await known.upsert({ prKey, at, end: state, endedAt: at }, { set: { at, end: state, endedAt: at } })
}

/**
 * The changed task, ended if its pull request had ended before the task named it or while the work went on. The end of the code host then
 * came before the report of the worker, and does not come again. An end that the task has left behind moves it no more.
 */
export async function endedBefore({ pullRequestEnds, config }: Refs, before: Task, changed: Plain, tx: Transaction): Promise<Plain> {
  const { prUrl, status, startedAt = '' } = changed
  if (prUrl === undefined || !config.mergeCompletes || (status !== 'review' && status !== 'working')) return changed
  const prKey = pullRequestKey(prUrl)
  if (prKey === '') return changed
  const isNew = before.prUrl === undefined || pullRequestKey(before.prUrl) !== prKey
  // A person may take up a task again that is done; a worker with its claim repeats a report.
  const isReopened = before.status === 'done' && changed.claimId === undefined
  if (!isNew && (before.status === status || isReopened)) return changed
  const at = tx.now.toISOString()
  // Written, and not only read, so that an end that arrives at another node at the same time collides with it.
  const { end, endedAt = '' } = await pullRequestEnds.in(tx).upsert({ prKey, at }, { set: { at } })
  const duringWork = status === 'review' && end === 'merged' && endedAt >= startedAt
  return end !== undefined && (isNew || duringWork) ? ended(changed, { url: prUrl, state: end }, tx.now, 'kept') : changed
}
