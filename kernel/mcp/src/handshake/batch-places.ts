/** Batches of one tenant that are worked on at once: each holds its answers until the last is there. */
const AT_ONCE = 2
/** An answer that is not out by then gives its place back: it may wait behind one that waits for a place. */
const PATIENCE_MS = 5_000

interface Places {
  busy: number
  readonly waiting: (() => void)[]
}

/**
 * Bounds what the batches of a tenant hold together: a place is taken until `afterwards` says that the answer is out. Who comes when
 * all places are taken waits, in the order of coming.
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
    // Handed on as it is, so that nobody who comes now is quicker.
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
