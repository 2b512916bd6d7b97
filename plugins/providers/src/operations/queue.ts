export interface Waiter {
  readonly tenantId: string
  readonly providers: readonly string[]
  /** Takes a permit; true if it was admitted. A caller that can no longer succeed leaves the queue itself. */
  admit(): boolean
}

/** The first caller that is admitted; those who give up instead are gone from `waiting` by then. */
function firstIn(waiting: Iterable<Waiter>): Waiter | undefined {
  for (const waiter of waiting) if (waiter.admit()) return waiter
  return undefined
}

/**
 * Waiting calls, each tenant in its own order and tenants in turn, so that a thousand calls of one do not delay those of another.
 */
export class Queue {
  readonly #tenants = new Map<string, Set<Waiter>>()
  size = 0

  add(waiter: Waiter): void {
    const waiting = this.#tenants.get(waiter.tenantId) ?? new Set()
    waiting.add(waiter)
    this.#tenants.set(waiter.tenantId, waiting)
    this.size++
  }

  remove(waiter: Waiter): void {
    const waiting = this.#tenants.get(waiter.tenantId)
    if (!waiting?.delete(waiter)) return
    this.size--
    if (waiting.size === 0) this.#tenants.delete(waiter.tenantId)
  }

  count(counts: (waiter: Waiter) => boolean): number {
    return [...this.#tenants.values()].reduce((sum, waiting) => sum + [...waiting].filter(counts).length, 0)
  }

  of(tenantId: string): number {
    return this.#tenants.get(tenantId)?.size ?? 0
  }

  /** Tenants are served in turn while anything is `open`: a served tenant goes to the end. */
  serve(open: () => boolean): void {
    for (let served = true; served && open(); ) {
      served = false
      // A copy, because a served tenant goes to the end and must not come twice.
      const inLine = [...this.#tenants]
      for (const [tenantId, waiting] of inLine) {
        const first = firstIn(waiting)
        if (!first) continue
        served = true
        this.remove(first)
        const left = this.#tenants.get(tenantId)
        if (!left) continue
        this.#tenants.delete(tenantId)
        this.#tenants.set(tenantId, left)
      }
    }
  }
}
