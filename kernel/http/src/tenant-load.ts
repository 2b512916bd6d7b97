const MAX_TENANTS = 10_000

/**
 * The load of each tenant: its requests, of which a sample later half count, and its calls under way. Refused requests count too, so a
 * tenant that floods the gateway stays the busiest while it is refused.
 */
export class TenantLoad {
  readonly #requests = new Map<string, number>()
  readonly #held: (tenantId: string) => number

  constructor(held: (tenantId: string) => number) {
    this.#held = held
  }

  note(tenantId: string): void {
    const known = this.#requests.get(tenantId)
    if (known === undefined && this.#requests.size >= MAX_TENANTS) return
    this.#requests.set(tenantId, (known ?? 0) + 1)
  }

  /** Returns the tenants that sent requests lately, the busiest first. */
  busiest(): readonly string[] {
    const loads = [...this.#requests].map(([tenantId, requests]) => ({ tenantId, load: requests + this.#held(tenantId) }))
    return loads.sort((a, b) => b.load - a.load).map(({ tenantId }) => tenantId)
  }

  /** Lets the time of a sample pass. */
  decay(): void {
    for (const [tenantId, requests] of this.#requests) {
      if (requests < 1) this.#requests.delete(tenantId)
      else this.#requests.set(tenantId, requests / 2)
    }
  }
}
