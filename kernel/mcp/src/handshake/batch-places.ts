/** Number of a tenant's batches processed at once: each holds its answers until the last is ready. */
const AT_ONCE = 2
/** An answer that is not sent by then returns its place: it may wait behind one that waits for a place. */
const PATIENCE_MS = 5_000

interface Places {
  busy: number
  readonly waiting: (() => void)[]
}

/**
 * Bounds the answers that a tenant's batches hold: a place is taken until `afterwards` reports that the answer is sent. Further
 * batches wait in order of arrival.
 */
export class BatchPlaces {
  readonly #tenants = new Map<string, Places>()

  async take<T>(tenantId: string, work: () => Promise<T>, afterwards: (leave: () => void) => void): Promise<T> {
    const places = this.#of(tenantId)
    if (places.busy < AT_ONCE) places.busy++
    else await new Promise<void>((resolve) => places.waiting.push(resolve))
    try {
      return await work()
    } finally {
      let left = false
      const leave = (): void => {
        clearTimeout(late)
        if (!left) this.#leave(tenantId, places)
        left = true
      }
      const late = setTimeout(leave, PATIENCE_MS).unref()
      afterwards(leave)
    }
  }

  #leave(tenantId: string, places: Places): void {
    // Handed on directly, so that nobody who arrives now is faster.
    const next = places.waiting.shift()
    if (next) next()
    else if (--places.busy === 0) this.#tenants.delete(tenantId)
  }

  #of(tenantId: string): Places {
    let places = this.#tenants.get(tenantId)
    if (!places) this.#tenants.set(tenantId, (places = { busy: 0, waiting: [] }))
    return places
  }
}
