import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Number of tenants whose stretches run at once. On a distant store they wait for the store, and need not wait for each other. */
const AT_ONCE = 4
/** Number of a tenant's callers that take turns; later ones wait until one of them is done, so that some finish early. */
const IN_ROTATION = 4

interface Waiting {
  readonly signal: AbortSignal
  readonly begin: () => void
}

/**
 * Schedules work that no index helps, such as searching every line for a text: one stretch of one caller per tenant at a time,
 * tenants in turn, and other pending requests before the next stretch. Hundreds of such calls take longer without slowing others.
 */
export class FairScheduler {
  readonly #tenants = new Map<string, Waiting[]>()
  readonly #busy = new Set<string>()
  readonly #begun = new WeakSet<AbortSignal>()

  /** Rejects with the signal's reason if it is aborted before the turn comes. */
  async take<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#place(tenantId, signal)
    try {
      signal.throwIfAborted()
      this.#begun.add(signal)
      return await work()
    } finally {
      // Requests that arrived during this stretch are served before the next one begins.
      await yieldToEventLoop()
      this.#busy.delete(tenantId)
      this.#next()
    }
  }

  #place(tenantId: string, signal: AbortSignal): Promise<void> | undefined {
    if (!this.#busy.has(tenantId) && this.#busy.size < AT_ONCE) {
      this.#busy.add(tenantId)
      return undefined
    }
    return new Promise((resolve) => {
      const queue = this.#tenants.get(tenantId)
      const waiting = { signal, begin: resolve }
      if (queue === undefined) this.#tenants.set(tenantId, [waiting])
      else if (this.#begun.has(signal)) queue.splice(IN_ROTATION - 1, 0, waiting)
      else queue.push(waiting)
    })
  }

  #next(): void {
    for (const [tenantId, queue] of this.#tenants) {
      if (this.#busy.size >= AT_ONCE) return
      if (this.#busy.has(tenantId)) continue
      const first = queue.shift() as Waiting
      this.#tenants.delete(tenantId)
      if (queue.length > 0) this.#tenants.set(tenantId, queue)
      this.#busy.add(tenantId)
      first.begin()
    }
  }
}
