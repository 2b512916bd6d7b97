import type { Status, Task } from '../schema.ts'
import { backoffSeconds } from './backoff.ts'
import { withNote } from './notes.ts'
import type { Plain } from './stage.ts'

const isFinal = (status: Status): boolean => status === 'done' || status === 'blocked'
const isFailure = (status: Status): boolean => status === 'blocked' || status === 'dead_letter'

/**
 * The task after a move to `status`. Any move is allowed; its stamps are:
 *
 * - working: `startedAt`, also if it was working before;
 * - done, blocked: `completedAt`, if it comes from another status; any other status removes it;
 * - leaving working: its claimer and its lease are cleared;
 * - another status: its claim ends, so that a worker who comes later cannot undo what somebody else decided. A claim that is `kept`
 *   stays until the task is claimable again: that of a worker who moves its own task and may have to repeat the update, because the
 *   answer was lost, or that of a session which may still end its work;
 * - blocked or dead_letter to pending: a replay, so the retry ledger is cleared;
 * - working to review or done: the error of an earlier try is cleared; the history and the notes still have it;
 * - a retry time is kept only where it can matter again: pending and paused.
 */
export function moved(task: Plain, status: Status, now: Date, claim: 'ends' | 'kept' = 'ends'): Plain {
  const from = task.status
  const next: Plain = { ...task, status }
  if (status === 'working') next.startedAt = now.toISOString()
  else drop(next, 'claimedBy', 'claimedByPrincipal', 'claimedAt', 'leaseUntil', 'leasedAt')
  if (!isFinal(status)) drop(next, 'completedAt')
  else if (from !== status) next.completedAt = now.toISOString()
  if (status === 'pending' || (from !== status && claim === 'ends')) drop(next, 'claimId')
  if (status === 'pending' && isFailure(from)) {
    next.retryCount = 0
    drop(next, 'nextRetryAt', 'lastError')
  }
  if (status !== 'pending' && status !== 'paused') drop(next, 'nextRetryAt')
  if (from === 'working' && (status === 'review' || status === 'done')) drop(next, 'lastError')
  return next
}

/** A working task whose lease lasts for `seconds` from now. */
export function leased(task: Plain, seconds: number, now: Date): Plain {
  return { ...task, leaseUntil: new Date(now.getTime() + seconds * 1_000).toISOString(), leasedAt: now.toISOString() }
}

/** A working task that failed: pending again after a backoff while it has retries left, otherwise dead_letter. */
export function failed(task: Task, error: string, maxRetries: number, now: Date): Plain {
  const exhausted = task.retryCount >= maxRetries
  const next = moved({ ...task, lastError: error, notes: withNote(task.notes, error) }, exhausted ? 'dead_letter' : 'pending', now)
  return exhausted ? next : { ...delayed(next, backoffSeconds(task.retryCount), now), retryCount: task.retryCount + 1 }
}

/** Not claimable before `seconds` from now. */
export function delayed(task: Plain, seconds: number, now: Date): Plain {
  return { ...task, nextRetryAt: new Date(now.getTime() + Math.round(seconds * 1000)).toISOString() }
}

type OptionalField = { [K in keyof Plain]-?: undefined extends Plain[K] ? K : never }[keyof Plain]

function drop(draft: Plain, ...fields: readonly OptionalField[]): void {
  for (const field of fields) if (field in draft) delete draft[field]
}
