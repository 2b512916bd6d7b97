import { BoundedMap } from './bounded-map.ts'

/** The limits at which a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Consecutive failures that open the breaker. */
  readonly failures: number
  /** Seconds it stays open before one call is let through as a probe. */
  readonly cooldownSeconds: number
}

/** State of a key. `half_open`: the cooldown is over, and one probe may run or is running. */
export interface BreakerState {
  readonly key: string
  readonly state: 'closed' | 'open' | 'half_open'
  /** Consecutive failures so far. */
  readonly failures: number
  /** Milliseconds since the epoch; present only while the breaker is open. */
  readonly openUntil?: number
}

/** Reason for a refusal and the time to retry. */
export interface BreakerRefusal {
  readonly failures: number
  readonly retryAfterSeconds: number
}

interface FailureCount {
  failures: number
  /** 0 while the breaker is closed. */
  openUntil: number
  /** The running probe; other calls wait for its outcome. */
  probe: BreakerPermit | undefined
}

/** Capacity of the table of failing keys; the key whose last failure is oldest is evicted first. */
const MAX_KEYS = 10_000
/** A probe may end at any time, so callers refused during a probe need not wait for a whole cooldown. */
const RETRY_DURING_PROBE_SECONDS = 5

/**
 * Circuit breakers, one per key. After consecutive failures the calls of a key are refused for a cooldown, then one probe is
 * let through, and the others follow if it succeeds. A key without failures costs nothing. Times are passed in, in milliseconds
 * since the epoch; a clock that is set back does not prolong a cooldown.
 */
export class Breakers {
  readonly #limits: BreakerLimits
  readonly #failureCounts = new BoundedMap<string, FailureCount>(MAX_KEYS)

  constructor(limits: BreakerLimits) {
    this.#limits = limits
  }

  /** Admits a call of `key`. A caller that receives a permit must end it. */
  enter(key: string, now: number): BreakerPermit | BreakerRefusal {
    const permit = new BreakerPermit((outcome, at) => this.#learn(key, permit, outcome, at))
    const failureCount = this.#failureCounts.get(key)
    if (!failureCount || failureCount.openUntil === 0) return permit
    const left = this.#secondsLeft(failureCount, now)
    if (left > 0) return { failures: failureCount.failures, retryAfterSeconds: left }
    if (failureCount.probe) {
      return { failures: failureCount.failures, retryAfterSeconds: Math.min(this.#limits.cooldownSeconds, RETRY_DURING_PROBE_SECONDS) }
    }
    failureCount.probe = permit
    return permit
  }

  /** Returns the state of a key; an unknown key is closed. */
  state(key: string, now: number): BreakerState {
    const failureCount = this.#failureCounts.get(key)
    if (!failureCount || failureCount.openUntil === 0) return { key, state: 'closed', failures: failureCount?.failures ?? 0 }
    if (this.#secondsLeft(failureCount, now) === 0) return { key, state: 'half_open', failures: failureCount.failures }
    return { key, state: 'open', failures: failureCount.failures, openUntil: failureCount.openUntil }
  }

  /** Returns all keys that have failed since their last success. */
  states(now: number): BreakerState[] {
    return [...this.#failureCounts.keys()].map((key) => this.state(key, now))
  }

  /** Closes the breaker of a key by hand. True if it was open or failing. */
  reset(key: string): boolean {
    return this.#failureCounts.delete(key)
  }

  #secondsLeft({ openUntil }: FailureCount, now: number): number {
    const left = Math.ceil((openUntil - now) / 1_000)
    // More than a whole cooldown is left if the clock was set back, and the real rest cannot be known.
    return left <= this.#limits.cooldownSeconds ? Math.max(left, 0) : 0
  }

  #learn(key: string, permit: BreakerPermit, outcome: BreakerOutcome, now: number): void {
    if (outcome === 'worked') return void this.#failureCounts.delete(key)
    const failureCount = this.#failureCounts.get(key)
    if (failureCount?.probe === permit) failureCount.probe = undefined
    if (outcome === 'unknown') return
    const failures = (failureCount?.failures ?? 0) + 1
    const opens = failures >= this.#limits.failures
    const openUntil = opens ? now + this.#limits.cooldownSeconds * 1_000 : 0
    this.#failureCounts.set(key, { failures, openUntil, probe: failureCount?.probe })
  }
}

/** Outcome of an admitted call; `unknown` if it shows nothing, for example because its caller left. */
export type BreakerOutcome = 'worked' | 'failed' | 'unknown'

/** Permit of an admitted call, until it ends. */
export class BreakerPermit {
  readonly #learn: (outcome: BreakerOutcome, now: number) => void
  #ended = false

  constructor(learn: (outcome: BreakerOutcome, now: number) => void) {
    this.#learn = learn
  }

  /** Only the first end counts. */
  end(outcome: BreakerOutcome, now: number): void {
    if (this.#ended) return
    this.#ended = true
    this.#learn(outcome, now)
  }
}
