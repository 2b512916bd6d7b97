import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { OAuthRefusal } from '../rules/refusal.ts'

/** Limits token requests, on each node. */
export interface TokenThrottle {
  /** Counts a request. Throws an OAuthRefusal with status 429 beyond the limit of its client and address, or of failures of the address. */
  admit(of: { readonly address: string; readonly clientId: string }, now: number): void
  failed(address: string, now: number): void
}
export const tokenThrottle = defineService<TokenThrottle>('oauth.token-throttle', 'process')

const WINDOW_MS = 60_000
/** Beyond it the oldest counts are dropped, so that an attacker with many addresses cannot grow the memory. */
const MAX_COUNTS = 10_000

interface Window {
  count: number
  readonly until: number
}

export const tokenThrottleProvider = provideProcess(tokenThrottle, {
  uses: { config },
  create({ config }) {
    const requests = new BoundedMap<string, Window>(MAX_COUNTS)
    const failures = new BoundedMap<string, Window>(MAX_COUNTS)

    function windowOf(counts: BoundedMap<string, Window>, key: string, now: number): Window {
      const known = counts.get(key)
      if (known && known.until > now) return known
      const fresh = { count: 0, until: now + WINDOW_MS }
      counts.set(key, fresh)
      return fresh
    }
    function refuse({ until }: Window, now: number, what: string): never {
      const seconds = Math.max(1, Math.ceil((until - now) / 1_000))
      throw new OAuthRefusal('temporarily_unavailable', `${what} within a minute; ask again in ${seconds} s.`, 429, seconds)
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
    }
  },
})
