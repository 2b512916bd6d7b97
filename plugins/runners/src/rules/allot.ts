import { isFutureTimestamp } from '@gateway/sdk'
import type { SlotLease } from '../schema.ts'

type Held = Pick<SlotLease, 'slot' | 'heartbeat' | 'leaseUntil'>

export interface Allotment<S extends Held> {
  readonly slot: number
  /** Stale sessions that make room. */
  readonly reclaimed: readonly S[]
}

/** True if a session has run out. One extended by a clock that was ahead, and has been set back, would last too long by as much. */
export function isStale({ heartbeat, leaseUntil }: Pick<Held, 'heartbeat' | 'leaseUntil'>, now: Date): boolean {
  return leaseUntil <= now.toISOString() || isFutureTimestamp(heartbeat, now)
}

/**
 * Returns the slot for another session in a pool of `slots`, or `undefined` when it is full. A stale session counts until it is
 * reclaimed, because its holder may come back; the same applies to sessions beyond a pool that was made smaller. Sessions that
 * expired first are reclaimed first, and only as many as necessary.
 */
export function allot<S extends Held>(held: readonly S[], slots: number, now: Date): Allotment<S> | undefined {
  const stale = held.filter((session) => isStale(session, now)).sort((a, b) => (a.leaseUntil < b.leaseUntil ? -1 : 1))
  const tooMany = Math.max(0, held.length - slots + 1)
  if (stale.length < tooMany) return undefined
  const reclaimed = stale.slice(0, tooMany)
  const taken = new Set(held.filter((session) => !reclaimed.includes(session)).map(({ slot }) => slot))
  let slot = 1
  while (taken.has(slot)) slot++
  return { slot, reclaimed }
}
