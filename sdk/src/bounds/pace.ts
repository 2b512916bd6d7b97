/** Milliseconds during which calls begin in one turn of the event loop. */
const STRETCH_MS = 5

/**
 * Spreads the begin of calls over turns of the event loop. The work before a call's first wait, such as reading a large list,
 * holds up everyone else, and hundreds of calls that arrive together would do it back to back. After a stretch the rest wait
 * for the next turn: pending requests are read first, and tenants continue in turn, however many calls each has.
 */
export class Pace {
  /** Tenants in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #now: () => number
  #until = 0
  #turning = false

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins the work now, or when it is the tenant's turn. */
  begin<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const now = this.#now()
    if (!this.#turning) this.#stretch(now)
    if (now < this.#until) return work()
    return new Promise((resolve) => {
      const queue = this.#waiting.get(tenantId) ?? []
      this.#waiting.set(tenantId, queue)
      queue.push(() => resolve(work()))
    })
  }

  #stretch(now: number): void {
    this.#turning = true
    this.#until = now + STRETCH_MS
    setImmediate(() => {
      if (this.#waiting.size > 0) this.#stretch(this.#now())
      else this.#turning = false
      this.#next()
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined || this.#now() >= this.#until) return
    const [tenantId, queue] = first
    queue.shift()?.()
    this.#waiting.delete(tenantId)
    // Goes to the end of the order.
    if (queue.length > 0) this.#waiting.set(tenantId, queue)
    // Work that directly follows the begin of a call belongs to the same stretch.
    queueMicrotask(() => this.#next())
  }
}
