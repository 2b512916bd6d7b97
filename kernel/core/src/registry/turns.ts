import { setImmediate as othersFirst } from 'node:timers/promises'

/** Stretches under way at once, each of another tenant: on a distant store they wait for it, and need not wait for one another. */
const AT_ONCE = 4
/** Callers of a tenant that take turns with each other; who comes later waits until one of them is done, so that some are done in time. */
const IN_ROTATION = 4

interface Waiting {
  readonly signal: AbortSignal
  readonly begin: () => void
}

/**
 * Who may go on with work that no index helps, such as looking for a text in every line: one stretch of one caller of a tenant at
 * a time, tenants in turn, and whatever else has come meanwhile before the next. So hundreds of such calls take longer, and
 * nobody else does.
 */
export class Turns {
  /** In the order in which their turns come. */
  readonly #tenants = new Map<string, Waiting[]>()
  readonly #busy = new Set<string>()
  readonly #begun = new WeakSet<AbortSignal>()

  /** Rejects with the signal’s reason when it is aborted before the turn comes. */
  async take<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#place(tenantId, signal)
    try {
      signal.throwIfAborted()
      this.#begun.add(signal)
      return await work()
    } finally {
      // Requests that came during this stretch are served before the next one begins.
      await othersFirst()
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
      // Behind the others.
      if (queue.length > 0) this.#tenants.set(tenantId, queue)
      this.#busy.add(tenantId)
      first.begin()
    }
  }
}
