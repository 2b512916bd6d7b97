import type { Clock } from '../clock.ts'

/**
 * Failed attempts per peer address: after `limit` of them within the window, further credentials from there are refused
 * unseen until the window has passed. Valid callers elsewhere, and requests without a credential, are not touched.
 */
export interface Throttle {
  /** Seconds to wait, or 0 when another attempt is welcome. */
  blockedFor(peer: string): number
  failed(peer: string): void
}

interface Window {
  count: number
  readonly until: number
}

const MAX_PEERS = 10_000

export function throttle(clock: Clock, { limit, windowSeconds }: { limit: number; windowSeconds: number }): Throttle {
  const windows = new Map<string, Window>()

  function current(peer: string): Window | undefined {
    const window = windows.get(peer)
    if (window && window.until <= clock.now()) {
      windows.delete(peer)
      return undefined
    }
    return window
  }

  return {
    blockedFor(peer) {
      const window = current(peer)
      return window && window.count >= limit ? Math.ceil((window.until - clock.now()) / 1000) : 0
    },
    failed(peer) {
      const window = current(peer)
      if (window) window.count++
      else {
        // The oldest goes first; an attacker with many addresses cannot grow the table.
        if (windows.size >= MAX_PEERS) windows.delete(windows.keys().next().value as string)
        windows.set(peer, { count: 1, until: clock.now() + windowSeconds * 1000 })
      }
    },
  }
}
