import { BreakerPermit, Breakers, Permits } from '@gateway/sdk/bounds'
import { WaitingCalls } from './waiting.ts'

export interface CallLimits {
  readonly callsPerTool: number
  readonly callsPerTenant: number
  readonly failureThreshold: number
  readonly cooldownSeconds: number
}
export interface Refused {
  readonly message: string
  readonly retryAfterSeconds: number
  /** All permits are taken just now; waiting makes sense. */
  readonly isFull?: true
}

export interface Patience {
  readonly now: () => number
  readonly waitMs: number
  readonly signal: AbortSignal
}

const BUSY_SECONDS = 1

/**
 * Admits a call at once or as soon as a permit is free within the call's time, and refuses it otherwise. A tenant whose
 * handlers hang fills only its own share. After consecutive failures a tool cools down, so that callers learn at once what they
 * would learn after the time limit.
 */
export class CallLimiter {
  readonly #limits: CallLimits
  readonly #permits = new Permits()
  readonly #waiting = new WaitingCalls()
  readonly #breakers: Breakers

  constructor(limits: CallLimits) {
    this.#limits = limits
    this.#breakers = new Breakers({ failures: limits.failureThreshold, cooldownSeconds: limits.cooldownSeconds })
  }

  /** Like `enter`, but waits for a permit for up to `waitMs`, behind earlier calls. Rejects if the caller disconnects. */
  async enterWithin(tenant: string, tool: string, { now, waitMs, signal }: Patience): Promise<Refused | Permit> {
    const until = performance.now() + waitMs
    for (;;) {
      const entered = this.enter(tenant, tool, now())
      if (entered instanceof Permit || !entered.isFull) return entered
      if (!(await this.#waiting.wait(tenant, tool, until - performance.now(), signal))) return entered
    }
  }

  /** `tool` names the present version of one tool of one tenant; a new registration starts afresh. */
  enter(tenant: string, tool: string, now: number): Refused | Permit {
    const shares = this.#shares(tenant, tool)
    const full = this.#permits.take(shares)
    if (full) return busy(`${full.what} ${full.atMost} ${full.of} in progress, the maximum`)
    const permit = this.#breakers.enter(tool, now)
    if (permit instanceof BreakerPermit) {
      return new Permit((healthy, at) => {
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

export class Permit {
  /** `healthy`: the handler answered; undefined: nothing was learned because the caller left. */
  readonly leave: (healthy: boolean | undefined, now: number) => void
  constructor(leave: Permit['leave']) {
    this.leave = leave
  }
}

const busy = (what: string): Refused => ({
  message: `${what}; try again in ${BUSY_SECONDS} s.`,
  retryAfterSeconds: BUSY_SECONDS,
  isFull: true,
})
