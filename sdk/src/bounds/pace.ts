/** So long calls begin in one turn of the event loop. */
const STRETCH_MS = 5

/**
 * When calls begin. What a call does before it first waits, such as reading a large list, holds up everybody else, and hundreds
 * that came together would do it right after each other. So after a stretch the rest wait for the next turn of the event
 * loop: what has come meanwhile is heard before, and tenants go on in turn, however many calls each has.
 */
export class Pace {
  /** In the order in which their turns come. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #now: () => number
  #until = 0
  #turning = false

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins the work now, or when it is the tenant’s turn. */
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
    // Behind the others.
    if (queue.length > 0) this.#waiting.set(tenantId, queue)
    // What follows at once upon the begin of a call is of this stretch as well.
    queueMicrotask(() => this.#next())
  }
}
