import { CallTimeout } from '../errors.ts'
import type { CallScope } from './context.ts'

/** How exact a limit is: one timer looks after all calls, since one for each would cost more than a cheap call. */
const LOOK_EVERY_MS = 100

/** The time one call has. */
export class TimeLimit {
  readonly ms: number
  since: number
  readonly #limits: TimeLimits
  readonly #expired: () => void
  #holds = 0

  constructor(limits: TimeLimits, ms: number, since: number, expired: () => void) {
    this.#limits = limits
    this.ms = ms
    this.since = since
    this.#expired = expired
    limits.add(this)
  }

  /** The call has shown that it is at work: its time begins anew. */
  renew(): void {
    if (this.#holds > 0) return
    this.lift()
    this.since = performance.now()
    this.#limits.add(this)
  }

  /** No time passes while somebody else is waited for who has a time limit of his own; afterwards it begins anew. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#holds++
    this.lift()
    try {
      return await work
    } finally {
      this.#holds--
      this.renew()
    }
  }

  /** The call has ended, or may take as long as it likes from now on. */
  free(): void {
    this.#holds = Number.POSITIVE_INFINITY
    this.lift()
  }

  lift(): void {
    this.#limits.remove(this)
  }

  expire(): void {
    this.lift()
    this.#expired()
  }
}

/** The limits of all running calls. */
export class TimeLimits {
  /** By length: within one, who began first is out of time first. */
  readonly #running = new Map<number, Set<TimeLimit>>()
  #timer: NodeJS.Timeout | undefined

  add(limit: TimeLimit): void {
    let same = this.#running.get(limit.ms)
    if (same === undefined) this.#running.set(limit.ms, (same = new Set()))
    same.add(limit)
    this.#timer ??= setInterval(() => this.#look(performance.now()), LOOK_EVERY_MS).unref()
  }

  remove(limit: TimeLimit): void {
    this.#running.get(limit.ms)?.delete(limit)
  }

  /** The work’s result, or CALL_TIMEOUT as soon as its time is over, whether or not the work listens. 0 is no limit. */
  inTime<T>(ms: number, since: number, scope: CallScope, operation: string, work: () => Promise<T>): Promise<T> {
    if (ms === 0) return work()
    return new Promise((resolve, reject) => {
      const expired = (): void => {
        const timeout = CallTimeout({ operation, limitMs: ms })
        reject(timeout)
        scope.abort(timeout)
      }
      scope.limitTo(new TimeLimit(this, ms, since, expired))
      work().then(resolve, reject)
    })
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#running.clear()
  }

  #look(now: number): void {
    for (const same of this.#running.values()) {
      for (const limit of same) {
        if (now - limit.since < limit.ms) break
        limit.expire()
      }
    }
  }
}
