import { BoundedMap } from './bounded-map.ts'

/** When a key is refused, and for how long. */
export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number
  /** How long it stays open before one call is let through to see. */
  readonly restSeconds: number
}

/** How a key stands. `half_open`: its rest is over, and one call may see, or is seeing, whether it works again. */
export interface BreakerState {
  readonly key: string
  readonly state: 'closed' | 'open' | 'half_open'
  /** In a row, up to now. */
  readonly failures: number
  /** Milliseconds since the epoch; only while it is open. */
  readonly openUntil?: number
}

/** Why a call was not let through, and when to come again. */
export interface BreakerRefusal {
  readonly failures: number
  readonly retryAfterSeconds: number
}

interface Trouble {
  failures: number
  /** 0 while it is closed. */
  openUntil: number
  /** The call that is seeing whether it works again; the others wait for how it ends. */
  probe: BreakerPermit | undefined
}

/** Keys in trouble that are remembered; the one whose last failure is longest ago is forgotten first. */
const MAX_KEYS = 10_000
/** A probe may end at any time: whoever is refused beside it is not sent away for a whole rest. */
const BESIDE_PROBE_SECONDS = 5

/**
 * Circuit breakers, one for each key: after a row of failures its calls are refused at once for a while, then one is let through,
 * and the others follow when it succeeds. A key without failures costs nothing. Times are the caller’s, in milliseconds since the
 * epoch; a clock that is set back prolongs no rest.
 */
export class Breakers {
  readonly #limits: BreakerLimits
  readonly #troubles = new BoundedMap<string, Trouble>(MAX_KEYS)

  constructor(limits: BreakerLimits) {
    this.#limits = limits
  }

  /** Let a call of `key` through; whoever gets a permit ends it. */
  enter(key: string, now: number): BreakerPermit | BreakerRefusal {
    const permit = new BreakerPermit((outcome, at) => this.#learn(key, permit, outcome, at))
    const trouble = this.#troubles.get(key)
    if (!trouble || trouble.openUntil === 0) return permit
    const left = this.#secondsLeft(trouble, now)
    if (left > 0) return { failures: trouble.failures, retryAfterSeconds: left }
    if (trouble.probe) {
      return { failures: trouble.failures, retryAfterSeconds: Math.min(this.#limits.restSeconds, BESIDE_PROBE_SECONDS) }
    }
    trouble.probe = permit
    return permit
  }

  /** How a key stands; one that nothing is known of is closed. */
  state(key: string, now: number): BreakerState {
    const trouble = this.#troubles.get(key)
    if (!trouble || trouble.openUntil === 0) return { key, state: 'closed', failures: trouble?.failures ?? 0 }
    if (this.#secondsLeft(trouble, now) === 0) return { key, state: 'half_open', failures: trouble.failures }
    return { key, state: 'open', failures: trouble.failures, openUntil: trouble.openUntil }
  }

  /** All keys that have failed since they last worked. */
  states(now: number): BreakerState[] {
    return [...this.#troubles.keys()].map((key) => this.state(key, now))
  }

  /** Close a key by hand. Whether it was in trouble. */
  reset(key: string): boolean {
    return this.#troubles.delete(key)
  }

  #secondsLeft({ openUntil }: Trouble, now: number): number {
    const left = Math.ceil((openUntil - now) / 1_000)
    // More than a whole rest is left when the clock was set back: how much it is cannot be known.
    return left <= this.#limits.restSeconds ? Math.max(left, 0) : 0
  }

  #learn(key: string, permit: BreakerPermit, outcome: BreakerOutcome, now: number): void {
    if (outcome === 'worked') return void this.#troubles.delete(key)
    const trouble = this.#troubles.get(key)
    if (trouble?.probe === permit) trouble.probe = undefined
    if (outcome === 'unknown') return
    const failures = (trouble?.failures ?? 0) + 1
    const opens = failures >= this.#limits.failures
    const openUntil = opens ? now + this.#limits.restSeconds * 1_000 : 0
    this.#troubles.set(key, { failures, openUntil, probe: trouble?.probe })
  }
}

/** What a call that was let through taught; `unknown`: nothing, say because its caller left. */
export type BreakerOutcome = 'worked' | 'failed' | 'unknown'

/** A call that was let through, until it ends. */
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
