/** Calls of one tenant that may wait at once: each holds its arguments. */
const MAX_WAITING = 256

interface Waiter {
  readonly tool: string
  readonly go: () => void
}

/** Calls that wait for a place, in the order in which they came. */
export class WaitingCalls {
  readonly #tenants = new Map<string, Set<Waiter>>()

  /** Resolves when it is this call’s turn to look again: true; false when `waitMs` have passed, or too many wait. Rejects when the caller has gone. */
  wait(tenant: string, tool: string, waitMs: number, signal: AbortSignal): Promise<boolean> {
    const queue = this.#tenants.get(tenant) ?? new Set()
    if (waitMs <= 0 || queue.size >= MAX_WAITING) return Promise.resolve(false)
    this.#tenants.set(tenant, queue)
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        queue.delete(waiter)
        if (queue.size === 0 && this.#tenants.get(tenant) === queue) this.#tenants.delete(tenant)
        settle()
      }
      const leave = (): void => end(() => reject(signal.reason as Error))
      const waiter: Waiter = { tool, go: () => end(() => resolve(true)) }
      const timer = setTimeout(() => end(() => resolve(false)), waitMs)
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      queue.add(waiter)
    })
  }

  /** The first of the tenant’s whose tool has a place. */
  wake(tenant: string, hasPlace: (tool: string) => boolean): void {
    for (const { tool, go } of this.#tenants.get(tenant) ?? []) if (hasPlace(tool)) return go()
  }
}
