import type { Principal } from '@gateway/sdk'

/** One open stream, as those who have something to tell see it. */
export interface Watcher {
  readonly caller: Principal
  /** It holds more unsent than it should: its client does not keep up. */
  readonly full: boolean
  tell(event: string, data: object): void
  end(): void
}

/** The operator’s pages show the whole fleet. */
export const seesAll = ({ role }: Principal): boolean => role === 'operator' || role === 'system'

/** Who watches, by tenant. */
export class Watchers {
  readonly #all = new Set<Watcher>()

  get size(): number {
    return this.#all.size
  }

  of(tenantId: string): number {
    let count = 0
    for (const { caller } of this.#all) if (caller.tenantId === tenantId) count++
    return count
  }

  add(watcher: Watcher): void {
    this.#all.add(watcher)
  }

  remove(watcher: Watcher): void {
    this.#all.delete(watcher)
  }

  /** Whose streams are concerned by what happened in a tenant: who does not keep up is let go, and comes back to read anew. */
  *concernedBy(isConcerned: (caller: Principal) => boolean): Generator<Watcher> {
    for (const watcher of this.#all) {
      if (!isConcerned(watcher.caller)) continue
      if (watcher.full) watcher.end()
      else yield watcher
    }
  }
}
