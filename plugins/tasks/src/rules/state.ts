import type { Status, Task } from '../schema.ts'
import { backoffSeconds } from './backoff.ts'
import { withNote } from './notes.ts'
import type { Plain } from './queue.ts'

type OptionalField = { [K in keyof Plain]-?: undefined extends Plain[K] ? K : never }[keyof Plain]

function without(task: Plain, ...fields: readonly OptionalField[]): Plain {
  const rest = { ...task }
  for (const field of fields) delete rest[field]
  return rest
}

const isFinal = (status: Status): boolean => status === 'done' || status === 'blocked'

/**
 * The task after a move to `status`. Any move is allowed; these are its stamps:
 *
 * - working: `startedAt`, also when it was working before;
 * - done, blocked: `completedAt`, when it comes from elsewhere; any other status takes it away;
 * - leaving working: who had it and its lease are cleared. `claimId` stays until the task is claimable again, so that a
 *   worker whose answer was lost can repeat its last update;
 * - blocked or dead_letter to pending: a replay, so the retry ledger is cleared;
 * - a time to retry at is kept only where it can matter again: pending and paused.
 */
export function moved(task: Plain, status: Status, now: Date): Plain {
  const from = task.status
  let next: Plain = { ...task, status }
  if (status === 'working') next = { ...next, startedAt: now.toISOString() }
  else next = without(next, 'claimedBy', 'claimedAt', 'leaseUntil')
  if (!isFinal(status)) next = without(next, 'completedAt')
  else if (from !== status) next = { ...next, completedAt: now.toISOString() }
  if (status === 'pending') next = without(next, 'claimId')
  if (status === 'pending' && (from === 'blocked' || from === 'dead_letter')) {
    next = { ...without(next, 'nextRetryAt', 'lastError'), retryCount: 0 }
  }
  if (status !== 'pending' && status !== 'paused') next = without(next, 'nextRetryAt')
  return next
}

/** A working task that failed: pending again after a backoff while it has retries left, else dead_letter. */
export function failed(task: Task, error: string, maxRetries: number, now: Date): Plain {
  const noted = { ...task, lastError: error, notes: withNote(task.notes, error) }
  if (task.retryCount >= maxRetries) return without(moved(noted, 'dead_letter', now), 'claimId')
  return { ...delayed(moved(noted, 'pending', now), backoffSeconds(task.retryCount), now), retryCount: task.retryCount + 1 }
}

/** Not claimable before `seconds` from now. */
export function delayed(task: Plain, seconds: number, now: Date): Plain {
  return { ...task, nextRetryAt: new Date(now.getTime() + Math.round(seconds * 1000)).toISOString() }
}
