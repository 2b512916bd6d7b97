/** Limit of one tenant's waiting calls: each holds its arguments. */
const MAX_WAITING = 256

interface Waiter {
  readonly tool: string
  readonly go: () => void
}

/** Calls that wait for a permit, in order of arrival. */
export class WaitingCalls {
  readonly #tenants = new Map<string, Set<Waiter>>()

  /**
   * Resolves with true when this call may try again, and with false when `waitMs` have passed or too many wait. Rejects if the
   * caller has disconnected.
   */
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

  /** Wakes the first call of the tenant whose tool has a permit. */
  wake(tenant: string, hasPlace: (tool: string) => boolean): void {
    for (const { tool, go } of this.#tenants.get(tenant) ?? []) if (hasPlace(tool)) return go()
  }
}
