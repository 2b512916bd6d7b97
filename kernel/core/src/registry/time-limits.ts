import { CallTimeout } from '../errors.ts'

/** Precision of the limits: one timer checks all calls, because one timer per call would cost more than a cheap call. */
const LOOK_EVERY_MS = 100

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

  /** Starts the time again, because the call has shown progress. */
  renew(): void {
    if (this.#holds > 0) return
    this.lift()
    this.since = performance.now()
    this.#limits.add(this)
  }

  /** Stops the time while the call waits for work with a time limit of its own; it starts again afterwards. */
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

  /** Removes the limit: the call has ended or may run on. */
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

export interface Limited {
  limitTo(limit: TimeLimit): void
  abort(reason: Error): void
}

export class TimeLimits {
  /** Grouped by duration: within a group, the call that began first expires first. */
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

  /**
   * Resolves with the work's result, or rejects with CALL_TIMEOUT when the time is over, even if the work ignores its signal. 0
   * means no limit.
   */
  inTime<T>(ms: number, since: number, call: Limited, operation: string, work: () => Promise<T>): Promise<T> {
    if (ms === 0) return work()
    return new Promise((resolve, reject) => {
      const expired = (): void => {
        const timeout = CallTimeout({ operation, limitMs: ms })
        reject(timeout)
        call.abort(timeout)
      }
      call.limitTo(new TimeLimit(this, ms, since, expired))
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
