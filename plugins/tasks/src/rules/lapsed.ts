import type { Task } from '../schema.ts'

/** Longest time that a worker has after a start of the gateway to extend a lease that ended while it was down. */
const MAX_GRACE_MS = 180_000

/**
 * True if the worker of a task has let its lease end. Nobody could extend a lease while the gateway was down: one that was last extended
 * before the start counts for its own length again from there, but for three minutes at most.
 */
export function hasLapsed({ status, leaseUntil, leasedAt, updatedAt }: Task, now: Date, startedAt: Date): boolean {
  if (status !== 'working' || leaseUntil === undefined || leaseUntil > now.toISOString()) return false
  // An earlier version did not store when it gave a lease.
  const since = leasedAt ?? updatedAt
  if (since >= startedAt.toISOString()) return true
  const grace = Math.min(Date.parse(leaseUntil) - Date.parse(since), MAX_GRACE_MS)
  return now.getTime() >= startedAt.getTime() + grace
}
