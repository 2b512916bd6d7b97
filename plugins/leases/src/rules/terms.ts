import type { Lease } from '../schema.ts'

const MIN_SECONDS = 30
const MAX_SECONDS = 86_400
const DEFAULT_SECONDS = 600

/** The times of a lease that is given or extended now, for as long as was asked or as long as may be. */
export function term(seconds: number = DEFAULT_SECONDS, now: Date): Pick<Lease, 'heartbeatAt' | 'leaseUntil'> {
  const given = Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)
  return { heartbeatAt: now.toISOString(), leaseUntil: new Date(now.getTime() + given * 1000).toISOString() }
}

/** Two clocks of one fleet differ by less. */
const TOLERANCE_SECONDS = 60

/**
 * Whether a lease has run out: anyone may take it over. Until someone does, a heartbeat of its holder brings it back. One that
 * lasts for longer than any may was given by a clock that was ahead and has been set back, and would hold for as long as that.
 */
export function isStale({ leaseUntil }: Pick<Lease, 'leaseUntil'>, now: Date): boolean {
  const longest = new Date(now.getTime() + (MAX_SECONDS + TOLERANCE_SECONDS) * 1000)
  return leaseUntil <= now.toISOString() || leaseUntil > longest.toISOString()
}
