import { CLOCK_TOLERANCE_SECONDS, defined } from '@gateway/sdk'
import { BreakerPermit, Breakers, isWindowOpen } from '@gateway/sdk/bounds'
import { Bucket } from '../rules/bucket.ts'
import type { Closed } from '../rules/closed.ts'
import type { ProviderName } from '../schema.ts'

export interface GateLimits {
  readonly callsAtOnce: number
  readonly requestsPerMinute: number
  readonly failureThreshold: number
  readonly cooldownSeconds: number
}
export interface MaintenanceTerms {
  readonly since: string
  readonly reason?: string | undefined
  readonly operator?: string | undefined
  readonly operatorPrincipal?: string | undefined
}
/** A running call at a provider, until `end`. */
export interface ProviderPermit {
  end(outcome: 'worked' | 'failed' | 'unknown', now: number): void
}

const COUNTS = { calls: 0, succeeded: 0, failed: 0, refused: 0, rateLimited: 0, timedOut: 0 }

/** The gate of one provider: permits, limits and breaker. Times are milliseconds on the gateway's clock. */
export class ProviderGate {
  readonly provider: ProviderName
  readonly limits: GateLimits
  readonly bucket: Bucket
  readonly counts = { ...COUNTS }
  maintenance: MaintenanceTerms | undefined
  /** Another node has found it failing. */
  openElsewhereUntil = 0
  inFlight = 0
  /** The provider has asked to be left alone for this time. */
  #cooldown = { until: 0, ms: 0 }
  readonly #breakers: Breakers
  readonly #left: () => void

  /** `left` is called for each call that has ended. */
  constructor(provider: ProviderName, limits: GateLimits, left: () => void) {
    this.provider = provider
    this.limits = limits
    this.bucket = new Bucket(limits.requestsPerMinute)
    this.#breakers = new Breakers({ failures: limits.failureThreshold, cooldownSeconds: limits.cooldownSeconds })
    this.#left = left
  }

  coolDown(ms: number, now: number): void {
    if (now + ms > (this.cooldownUntil(now) ?? 0)) this.#cooldown = { until: now + ms, ms }
  }

  cooldownUntil(now: number): number | undefined {
    const { until, ms } = this.#cooldown
    return isWindowOpen(until, now, ms) ? until : undefined
  }

  /** Takes a permit, or returns the reason why it is not available. */
  enter(now: number): ProviderPermit | Closed {
    const closed = this.closed(now)
    if (closed) return closed
    const permit = this.#breakers.enter(this.provider, now)
    if (!(permit instanceof BreakerPermit)) return { why: 'breaker', retryAfterMs: permit.retryAfterSeconds * 1_000 }
    this.bucket.take(now)
    this.inFlight++
    this.counts.calls++
    let over = false
    return {
      end: (outcome, at) => {
        if (over) return
        over = true
        this.inFlight--
        permit.end(outcome, at)
        if (outcome === 'worked') this.openElsewhereUntil = 0
        this.#left()
      },
    }
  }

  /**
   * Takes a permit for a request beside the calls, whose end says nothing of them: neither the counts nor the breaker learn of it. Returns
   * its end; undefined if the provider takes no calls now, or is being probed.
   */
  enterAside(now: number): (() => void) | undefined {
    if (this.closed(now) || this.breaker(now).state !== 'closed') return undefined
    this.bucket.take(now)
    this.inFlight++
    return () => {
      this.inFlight--
      this.#left()
    }
  }

  /** Changes nothing, and so does not see that the only probe of a half-open breaker is running. */
  closed(now: number): Closed | undefined {
    if (this.maintenance) return { why: 'maintenance' }
    const { state, openUntil } = this.breaker(now)
    if (state === 'open') return { why: 'breaker', retryAfterMs: Math.max(0, (openUntil ?? now) - now) }
    const cooldownUntil = this.cooldownUntil(now)
    if (cooldownUntil !== undefined) return { why: 'rate_limited', retryAfterMs: cooldownUntil - now }
    if (this.inFlight >= this.limits.callsAtOnce) return { why: 'full' }
    return this.bucket.tokens(now) < 1 ? { why: 'rate_limited', retryAfterMs: 60_000 / this.limits.requestsPerMinute } : undefined
  }

  breaker(now: number): { readonly state: 'closed' | 'open' | 'half-open'; readonly failures: number; readonly openUntil?: number } {
    const { state, failures, openUntil } = this.#breakers.state(this.provider, now)
    if (state === 'closed' && this.#isOpenElsewhere(now)) return { state: 'open', failures, openUntil: this.openElsewhereUntil }
    return { state: state === 'half_open' ? 'half-open' : state, failures, ...defined({ openUntil }) }
  }

  /** Closes the breaker. True if it was open or failing. */
  reset(now: number): boolean {
    const elsewhere = this.#isOpenElsewhere(now)
    this.openElsewhereUntil = 0
    this.#cooldown = { until: 0, ms: 0 }
    return this.#breakers.reset(this.provider) || elsewhere
  }

  /** The other node has set the time by its own clock. */
  #isOpenElsewhere(now: number): boolean {
    return isWindowOpen(this.openElsewhereUntil, now, (this.limits.cooldownSeconds + CLOCK_TOLERANCE_SECONDS) * 1_000)
  }

  get status(): 'active' | 'draining' | 'maintenance' {
    if (!this.maintenance) return 'active'
    return this.inFlight > 0 ? 'draining' : 'maintenance'
  }
}
