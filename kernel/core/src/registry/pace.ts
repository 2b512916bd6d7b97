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

  begin<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const now = this.#now()
    if (!this.#turning) {
      this.#turning = true
      this.#until = now + STRETCH_MS
      setImmediate(this.#turn)
    }
    if (now < this.#until) return work()
    return new Promise((resolve) => {
      const begin = (): void => resolve(work())
      const queue = this.#waiting.get(tenantId)
      if (queue === undefined) this.#waiting.set(tenantId, [begin])
      else queue.push(begin)
    })
  }

  readonly #turn = (): void => {
    this.#turning = this.#waiting.size > 0
    if (!this.#turning) return
    setImmediate(this.#turn)
    this.#until = this.#now() + STRETCH_MS
    this.#next()
  }

  readonly #next = (): void => {
    const [first] = this.#waiting
    if (first === undefined || this.#now() >= this.#until) return
    const [tenantId, queue] = first
    const begin = queue.shift()
    this.#waiting.delete(tenantId)
    // Behind the others.
    if (queue.length > 0) this.#waiting.set(tenantId, queue)
    begin?.()
    // What follows at once upon the begin of a call is of this stretch as well.
    queueMicrotask(this.#next)
  }
}
