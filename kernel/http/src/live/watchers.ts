import type { Principal } from '@gateway/sdk'

export interface Watcher {
  readonly caller: Principal
  /** True if it holds more unsent bytes than allowed: its client is too slow. */
  readonly full: boolean
  notify(event: string, data: object): void
  watches(collection: string): boolean
  /** Ends the stream after its pending messages. */
  end(): void
  /** Ends the stream at once with everything unsent; otherwise a client that does not read would hold it. */
  cut(): void
}

/** Limits of open dashboards, per tenant and overall: each is a connection that stays. */
const MAX_PER_TENANT = 250
const MAX_STREAMS = 1_000

/** The operator's pages show the whole fleet. */
const seesAll = ({ role }: Principal): boolean => role === 'operator' || role === 'system'

/** Open streams by tenant. A slow client is disconnected on the next event; it reconnects and reloads. */
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

  *all(): Generator<Watcher> {
    // A watcher that leaves meanwhile may remove its tenant's set.
    const tenants = [...this.#byTenant.values()]
    for (const watchers of tenants) yield* withoutSlow(watchers)
  }

  *of(tenantId: string): Generator<Watcher> {
    yield* withoutSlow(this.#byTenant.get(tenantId) ?? [])
  }

  /** Watchers whose pages show the tenant's data: its own, and those that see all tenants. */
  *watchersOfTenantData(tenantId: string): Generator<Watcher> {
    yield* this.of(tenantId)
    for (const watcher of withoutSlow(this.#seeAll)) if (watcher.caller.tenantId !== tenantId) yield watcher
  }
}

function* withoutSlow(watchers: Iterable<Watcher>): Generator<Watcher> {
  for (const watcher of watchers) {
    if (watcher.full) watcher.cut()
    else yield watcher
  }
}
