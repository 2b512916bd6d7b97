import { hash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { isWindowOpen } from './window.ts'

/**
 * Limits wrong credentials per address: after `limit` different ones within the window, further wrong ones have to wait until
 * the window ends. A right credential never reaches this check, so one agent with a stale key does not lock out others at the
 * same address. Repeats of the same wrong credential count once, because only guessing produces many.
 */
export interface Throttle {
  /** Seconds to wait before another attempt is welcome; 0 at once. Changes nothing. */
  waiting(address: string): number
  /** Records a wrong credential. Returns the seconds to wait, or 0 if another attempt is allowed. */
  failed(address: string, credential: string): number
}

interface Window {
  /** Keyed by digest, so that a memory dump holds no secret. */
  readonly wrong: Set<string>
  readonly until: number
}

const MAX_ADDRESSES = 10_000

/** Creates a throttle; `clock.now` returns epoch milliseconds. */
export function throttle(
  clock: { now(): number },
  { limit, windowSeconds }: { readonly limit: number; readonly windowSeconds: number },
): Throttle {
  // Bounded, so that an attacker with many addresses cannot grow it.
  const windows = new BoundedMap<string, Window>(MAX_ADDRESSES)
  const windowMs = windowSeconds * 1_000

  function windowOf(address: string): Window {
    const known = windows.get(address)
    if (known && isWindowOpen(known.until, clock.now(), windowMs)) return known
    const fresh = { wrong: new Set<string>(), until: clock.now() + windowMs }
    windows.set(address, fresh)
    return fresh
  }

  function waiting(address: string): number {
    const known = windows.get(address)
    if (!known || known.wrong.size < limit || !isWindowOpen(known.until, clock.now(), windowMs)) return 0
    return Math.ceil((known.until - clock.now()) / 1_000)
  }

  return {
    waiting,
    failed(address, credential) {
      const { wrong } = windowOf(address)
      if (wrong.size >= limit) return waiting(address)
      wrong.add(hash('sha256', credential, 'base64url'))
      return 0
    },
  }
}
