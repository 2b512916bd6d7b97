export interface TurnstileLimits {
  readonly callsPerTool: number
  readonly callsPerTenant: number
  readonly failuresUntilRest: number
  readonly restSeconds: number
}
export interface Refused {
  readonly message: string
  readonly retryAfterSeconds: number
}

/** A tool that has failed: how often in a row, and until when it rests. */
interface Trouble {
  failures: number
  restsUntil: number
  /** One call is let through after the rest; the others wait for how it ends. */
  probing: boolean
}

/** Tools in trouble that are remembered; the one that has been longest is forgotten first. */
const MAX_TROUBLES = 10_000
const BUSY_SECONDS = 1

/**
 * Lets a call through or refuses it at once. Nobody waits here: a tenant whose handlers hang fills its own share, and only that.
 * After a row of failures a tool rests, so that callers learn at once what they would learn after the time limit.
 */
export class Turnstile {
  readonly #limits: TurnstileLimits
  readonly #running = new Map<string, number>()
  readonly #troubles = new Map<string, Trouble>()

  constructor(limits: TurnstileLimits) {
    this.#limits = limits
  }

  /** `tool` names one tool of one tenant as it is now: registered anew, it begins anew. */
  enter(tenant: string, tool: string, now: number): Refused | Passage {
    const { callsPerTool, callsPerTenant, restSeconds } = this.#limits
    if (this.#count(`tenant ${tenant}`) >= callsPerTenant) {
      return busy(`This tenant has ${callsPerTenant} calls of its own tools under way, as many as may be`)
    }
    if (this.#count(`tool ${tool}`) >= callsPerTool) return busy(`This tool has ${callsPerTool} calls under way, as many as may be`)
    const trouble = this.#troubles.get(tool)
    if (trouble && trouble.restsUntil > 0) {
      const left = Math.ceil((trouble.restsUntil - now) / 1_000)
      // More than a whole rest is left when the clock was set back: how much it is cannot be known.
      const rests = left > 0 && left <= restSeconds
      if (rests || trouble.probing) {
        const retryAfterSeconds = rests ? left : Math.min(restSeconds, 5)
        return {
          message: `This tool rests after ${trouble.failures} failures in a row; try again in ${retryAfterSeconds} s.`,
          retryAfterSeconds,
        }
      }
      trouble.probing = true
    }
    this.#add(tenant, tool, 1)
    return new Passage((healthy, at) => {
      this.#add(tenant, tool, -1)
      this.#learn(tool, healthy, at)
    })
  }

  #learn(tool: string, healthy: boolean | undefined, now: number): void {
    const trouble = this.#troubles.get(tool)
    if (healthy === true) return void this.#troubles.delete(tool)
    if (trouble) trouble.probing = false
    if (healthy === undefined) return
    const failures = (trouble?.failures ?? 0) + 1
    const rests = failures >= this.#limits.failuresUntilRest
    this.#troubles.delete(tool)
    if (this.#troubles.size >= MAX_TROUBLES) this.#troubles.delete(this.#troubles.keys().next().value as string)
    this.#troubles.set(tool, { failures, restsUntil: rests ? now + this.#limits.restSeconds * 1_000 : 0, probing: false })
  }

  #count(key: string): number {
    return this.#running.get(key) ?? 0
  }

  #add(tenant: string, tool: string, by: 1 | -1): void {
    for (const key of [`tenant ${tenant}`, `tool ${tool}`]) {
      const count = this.#count(key) + by
      if (count === 0) this.#running.delete(key)
      else this.#running.set(key, count)
    }
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

const busy = (what: string): Refused => ({ message: `${what}; try again in ${BUSY_SECONDS} s.`, retryAfterSeconds: BUSY_SECONDS })
