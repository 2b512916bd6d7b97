import { hash } from 'node:crypto'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Clock } from '../clock.ts'

/**
 * Wrong credentials per address: after `limit` different ones within the window, who sends a further wrong one from
 * there has to wait until the window has passed. A right one is never asked about here, so that one agent with a stale
 * key does not lock out those beside it; and the same wrong one counts once, however often it is tried: only who
 * guesses sends many.
 */
export interface Throttle {
  /** Seconds to wait before another attempt is welcome; 0 at once. Changes nothing. */
  waiting(address: string): number
  /** A credential was wrong. Seconds to wait, or 0 when another attempt is welcome. */
  failed(address: string, credential: string): number
}

interface Window {
  /** By digest, so that a memory dump holds no secret. */
  readonly wrong: Set<string>
  readonly until: number
}

const MAX_ADDRESSES = 10_000

export function throttle(clock: Clock, { limit, windowSeconds }: { limit: number; windowSeconds: number }): Throttle {
  // An attacker with many addresses cannot grow it.
  const windows = new BoundedMap<string, Window>(MAX_ADDRESSES)

  function windowOf(address: string): Window {
    const known = windows.get(address)
    if (known && known.until > clock.now()) return known
    const fresh = { wrong: new Set<string>(), until: clock.now() + windowSeconds * 1000 }
    windows.set(address, fresh)
    return fresh
  }

  function waiting(address: string): number {
    const known = windows.get(address)
    return known && known.wrong.size >= limit ? Math.max(0, Math.ceil((known.until - clock.now()) / 1000)) : 0
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
