import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap, isWindowOpen } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { OAuthRefusal } from '../rules/refusal.ts'

/** Limits requests without a credential, on each node. */
export interface TokenThrottle {
  /** Counts a request. Throws an OAuthRefusal with status 429 beyond the limit of its client and address, or of failures of the address. */
  admit(of: { readonly address: string; readonly clientId: string }, now: number): void
  failed(address: string, now: number): void
  /** Counts a device or a client that an address begins. Throws an OAuthRefusal with status 429 beyond the share of the address. */
  begin(what: Beginning, address: string, now: number): void
}
export type Beginning = 'devices' | 'clients'
export const tokenThrottle = defineService<TokenThrottle>('oauth.token-throttle', 'process')

const WINDOW_MS = 60_000
/** Beyond it the oldest counts are dropped, so that an attacker with many addresses cannot grow the memory. */
const MAX_COUNTS = 10_000

/** Time in which the share of an address counts: as long as a device waits; clients are kept for months. */
const BEGIN_MS: Readonly<Record<Beginning, number>> = { devices: 600_000, clients: 3_600_000 }
const IN: Readonly<Record<Beginning, string>> = { devices: 'ten minutes', clients: 'an hour' }

interface Window {
  count: number
  readonly until: number
}

export const tokenThrottleProvider = provideProcess(tokenThrottle, {
  uses: { config },
  create({ config }) {
    const requests = new BoundedMap<string, Window>(MAX_COUNTS)
    const failures = new BoundedMap<string, Window>(MAX_COUNTS)
    const begun = new BoundedMap<string, Window>(MAX_COUNTS)
    const shares: Readonly<Record<Beginning, number>> = { devices: config.devicesPerAddress, clients: config.clientsPerAddress }

    function windowOf(counts: BoundedMap<string, Window>, key: string, now: number, ms = WINDOW_MS): Window {
      const known = counts.get(key)
      if (known && isWindowOpen(known.until, now, ms)) return known
      const fresh = { count: 0, until: now + ms }
      counts.set(key, fresh)
      return fresh
    }
    function refuse({ until }: Window, now: number, what: string, time = 'a minute'): never {
      const seconds = Math.max(1, Math.ceil((until - now) / 1_000))
      throw new OAuthRefusal('temporarily_unavailable', `${what} within ${time}; ask again in ${seconds} s.`, 429, seconds)
    }

    return {
      admit({ address, clientId }, now) {
        const failed = windowOf(failures, address, now)
        if (failed.count >= config.tokenFailuresPerMinute) refuse(failed, now, `${failed.count} requests of this address were refused`)
        const asked = windowOf(requests, `${address} ${clientId.slice(0, 200)}`, now)
        if (asked.count >= config.tokenRequestsPerMinute)
          refuse(asked, now, `This client has made ${asked.count} requests from this address`)
        asked.count++
      },
      failed(address, now) {
        windowOf(failures, address, now).count++
      },
      begin(what, address, now) {
        const window = windowOf(begun, `${what} ${address}`, now, BEGIN_MS[what])
        if (window.count >= shares[what]) refuse(window, now, `This address has begun ${window.count} ${what}`, IN[what])
        window.count++
      },
    }
  },
})
