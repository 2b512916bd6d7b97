import { BreakerPermit, Breakers, Permits } from '@gateway/sdk/bounds'
import { WaitingCalls } from './waiting.ts'

export interface TurnstileLimits {
  readonly callsPerTool: number
  readonly callsPerTenant: number
  readonly failuresUntilRest: number
  readonly restSeconds: number
}
export interface Refused {
  readonly message: string
  readonly retryAfterSeconds: number
  /** All places are taken just now: it may be waited for. */
  readonly isFull?: true
}

/** For how long a call may wait for a place. */
export interface Patience {
  readonly now: () => number
  readonly waitMs: number
  readonly signal: AbortSignal
}

const BUSY_SECONDS = 1

/**
 * Lets a call through, at once or as soon as there is a place within the time the call has, else refuses it. A tenant whose
 * handlers hang fills its own share, and only that. After a row of failures a tool rests, so that callers learn at once what they would learn after the time limit.
 */
export class Turnstile {
  readonly #limits: TurnstileLimits
  readonly #permits = new Permits()
  readonly #waiting = new WaitingCalls()
  readonly #breakers: Breakers

  constructor(limits: TurnstileLimits) {
    this.#limits = limits
    this.#breakers = new Breakers({ failures: limits.failuresUntilRest, restSeconds: limits.restSeconds })
  }

  /** As `enter`; waits for a place for up to `waitMs`, behind those that came before. Rejects when the caller leaves. */
  async enterInTime(tenant: string, tool: string, { now, waitMs, signal }: Patience): Promise<Refused | Passage> {
    const until = performance.now() + waitMs
    for (;;) {
      const entered = this.enter(tenant, tool, now())
      if (entered instanceof Passage || !entered.isFull) return entered
      if (!(await this.#waiting.wait(tenant, tool, until - performance.now(), signal))) return entered
    }
  }

  /** `tool` names one tool of one tenant as it is now: registered anew, it begins anew. */
  enter(tenant: string, tool: string, now: number): Refused | Passage {
    const shares = this.#shares(tenant, tool)
    const full = this.#permits.take(shares)
    if (full) return busy(`${full.what} ${full.atMost} ${full.of} under way, as many as may be`)
    const permit = this.#breakers.enter(tool, now)
    if (permit instanceof BreakerPermit) {
      return new Passage((healthy, at) => {
        this.#permits.give(shares)
        permit.end(healthy === undefined ? 'unknown' : healthy ? 'worked' : 'failed', at)
        this.#waiting.wake(tenant, (one) => this.#shares(tenant, one).every(({ key, atMost }) => this.#permits.taken(key) < atMost))
      })
    }
    this.#permits.give(shares)
    const { failures, retryAfterSeconds } = permit
    return { message: `This tool rests after ${failures} failures in a row; try again in ${retryAfterSeconds} s.`, retryAfterSeconds }
  }

  #shares(tenant: string, tool: string) {
    return [
      { key: `tenant ${tenant}`, atMost: this.#limits.callsPerTenant, what: 'This tenant has', of: 'calls of its own tools' },
      { key: `tool ${tool}`, atMost: this.#limits.callsPerTool, what: 'This tool has', of: 'calls' },
    ]
  }
}

/** A call that was let through, until it leaves. */
export class Passage {
  /** `healthy`: the handler answered; undefined: nothing was learned, the caller left. */
  readonly leave: (healthy: boolean | undefined, now: number) => void
  constructor(leave: Passage['leave']) {
    this.leave = leave
  }
}

const busy = (what: string): Refused => ({
  message: `${what}; try again in ${BUSY_SECONDS} s.`,
  retryAfterSeconds: BUSY_SECONDS,
  isFull: true,
})
