import { isFutureTimestamp } from '@gateway/sdk'
import type { Lease } from '../schema.ts'

const MIN_SECONDS = 30
const MAX_SECONDS = 86_400
const DEFAULT_SECONDS = 600

/** Times of a lease that is given or extended now, for the requested or the longest allowed duration. */
export function term(seconds: number = DEFAULT_SECONDS, now: Date): Pick<Lease, 'heartbeatAt' | 'leaseUntil'> {
  const given = Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)
  return { heartbeatAt: now.toISOString(), leaseUntil: new Date(now.getTime() + given * 1000).toISOString() }
}

/**
 * True if a lease has run out: anyone may take it over. Until someone does, a heartbeat of its holder brings it back. One that was
 * extended by a clock that was ahead, and has been set back, counts as run out: it would last too long by as much.
 */
export function isStale({ heartbeatAt, leaseUntil }: Pick<Lease, 'heartbeatAt' | 'leaseUntil'>, now: Date): boolean {
  return leaseUntil <= now.toISOString() || isFutureTimestamp(heartbeatAt, now)
}
