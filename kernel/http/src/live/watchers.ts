import type { Principal } from '@gateway/sdk'

/** One open stream, as those who have something to tell see it. */
export interface Watcher {
  readonly caller: Principal
  /** It holds more unsent than it should: its client does not keep up. */
  readonly full: boolean
  tell(event: string, data: object): void
  /** After what was told. */
  end(): void
  /** Now, with all that is unsent: a client that does not read would hold it for as long as it likes. */
  cut(): void
}

/** Open dashboards of one tenant, and of all of them: each is a connection that stays. */
const MAX_PER_TENANT = 250
const MAX_STREAMS = 1_000

/** The operator’s pages show the whole fleet. */
const seesAll = ({ role }: Principal): boolean => role === 'operator' || role === 'system'

/** Who watches, by tenant. Who does not keep up is let go when there is something to tell, and comes back to read anew. */
export class Watchers {
  readonly #byTenant = new Map<string, Set<Watcher>>()
  readonly #seeAll = new Set<Watcher>()
  #size = 0

  get size(): number {
    return this.#size
  }

  hasRoomFor(tenantId: string): boolean {
    return this.#size < MAX_STREAMS && (this.#byTenant.get(tenantId)?.size ?? 0) < MAX_PER_TENANT
  }

  add(watcher: Watcher): void {
    const { caller } = watcher
    const known = this.#byTenant.get(caller.tenantId)
    if (known) known.add(watcher)
    else this.#byTenant.set(caller.tenantId, new Set([watcher]))
    if (seesAll(caller)) this.#seeAll.add(watcher)
    this.#size++
  }

  remove(watcher: Watcher): void {
    const { tenantId } = watcher.caller
    const known = this.#byTenant.get(tenantId)
    if (!known?.delete(watcher)) return
    if (known.size === 0) this.#byTenant.delete(tenantId)
    this.#seeAll.delete(watcher)
    this.#size--
  }

  /** Everybody. */
  *all(): Generator<Watcher> {
    // Who leaves meanwhile may take a tenant’s set along.
    const tenants = [...this.#byTenant.values()]
    for (const watchers of tenants) yield* keepingUp(watchers)
  }

  /** The tenant’s own. */
  *of(tenantId: string): Generator<Watcher> {
    yield* keepingUp(this.#byTenant.get(tenantId) ?? [])
  }

  /** Whose pages show what the tenant has: its own, and who sees all tenants. */
  *whoSee(tenantId: string): Generator<Watcher> {
    yield* this.of(tenantId)
    for (const watcher of keepingUp(this.#seeAll)) if (watcher.caller.tenantId !== tenantId) yield watcher
  }
}

function* keepingUp(watchers: Iterable<Watcher>): Generator<Watcher> {
  for (const watcher of watchers) {
    if (watcher.full) watcher.cut()
    else yield watcher
  }
}
