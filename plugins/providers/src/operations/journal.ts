import type { RoutingDecision } from '../api.ts'
import type { ProviderName } from '../schema.ts'

/** Limit over all tenants of recent events, for diagnosis. */
const KEPT = 500
const SHOWN = 50

export interface RoutedCall extends Omit<RoutingDecision, 'mode'> {
  readonly at: string
  readonly agent?: string
}
export interface DroppedHop {
  readonly at: string
  readonly provider: ProviderName
  readonly model: string
  readonly reason: string
  /** The provider that was asked next; absent if the call was given up. */
  readonly next?: ProviderName
}

/** The last records of a kind; a tenant sees its own, the operator all. */
class Ring<Item> {
  #items: { readonly tenantId: string; readonly item: Item }[] = []

  add(tenantId: string, item: Item): void {
    this.#items.push({ tenantId, item })
    if (this.#items.length > KEPT * 2) this.#items.splice(0, this.#items.length - KEPT)
  }

  forget(tenantId: string): void {
    this.#items = this.#items.filter((one) => one.tenantId !== tenantId)
  }

  /** Newest first. */
  recent(tenantId: string | undefined): Item[] {
    const seen = this.#items.slice(-KEPT).filter((one) => tenantId === undefined || one.tenantId === tenantId)
    return seen
      .slice(-SHOWN)
      .reverse()
      .map(({ item }) => item)
  }
}

export class Journal {
  readonly decisions = new Ring<RoutedCall>()
  readonly droppedHops = new Ring<DroppedHop>()

  forget(tenantId: string): void {
    this.decisions.forget(tenantId)
    this.droppedHops.forget(tenantId)
  }
}
