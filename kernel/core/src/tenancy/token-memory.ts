import { hash } from 'node:crypto'
import type { Holds, SignedIn } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Store } from '@gateway/storage'
import type { Clock } from '../clock.ts'

export type Checked = SignedIn & { readonly holds?: Holds }

interface Entry {
  readonly found: SignedIn
  readonly holds: Holds
  readonly validUntil: number
}

/** Tokens that are remembered, per tenant; the oldest is evicted first. */
const MAX_OF_TENANT = 1_000
const MAX_TENANTS = 1_000

/**
 * Remembers the answers of token checks for as long as they hold: until their time, and while no collection that they depend on
 * changes in their tenant. Only where this process sees every change: on a store that other processes write to, each call asks
 * again. Entries are keyed by digest, so that a memory dump holds no secret.
 */
export class TokenMemory {
  readonly #clock: Clock
  readonly #sees: boolean
  readonly #tenants = new BoundedMap<string, BoundedMap<string, Entry>>(MAX_TENANTS)
  /** Collections that any answer has depended on. */
  readonly #watched = new Set<string>()
  readonly #stands: (tenantId: string, keyId: string) => Promise<unknown>
  /** Counts changes, so that an answer that was read before a change is not remembered after it. */
  #changes = 0

  constructor(store: Pick<Store, 'shared' | 'changes'>, clock: Clock, stands: (tenantId: string, keyId: string) => Promise<unknown>) {
    this.#clock = clock
    this.#stands = stands
    this.#sees = !store.shared && store.changes !== undefined
    if (this.#sees)
      store.changes?.listen((collection, tenantId) => {
        if (this.#watched.has(collection)) this.forget(tenantId)
      })
  }

  async of(tenantId: string, ticket: string, check: () => Promise<Checked | undefined>): Promise<SignedIn | undefined> {
    if (!this.#sees) return check()
    const digest = hash('sha256', ticket, 'base64url')
    const known = this.#tenants.get(tenantId)?.get(digest)
    if (known && known.validUntil > this.#clock.now()) {
      const { keyId } = known.holds
      return keyId === undefined || (await this.#stands(tenantId, keyId)) ? known.found : undefined
    }
    const before = this.#changes
    const found = await check()
    const holds = found?.holds
    if (!found || !holds) return found
    // A collection counts from the next answer on: this one may have been read before its changes were watched.
    const isWatched = holds.whileUnchanged.every(({ id }) => this.#watched.has(id))
    for (const { id } of holds.whileUnchanged) this.#watched.add(id)
    if (isWatched && before === this.#changes) this.#remember(tenantId, digest, { found, holds, validUntil: Date.parse(holds.until) })
    return found
  }

  forget(tenantId: string): void {
    this.#changes++
    this.#tenants.delete(tenantId)
  }

  #remember(tenantId: string, digest: string, entry: Entry): void {
    let ofTenant = this.#tenants.get(tenantId)
    if (!ofTenant) {
      ofTenant = new BoundedMap(MAX_OF_TENANT)
      this.#tenants.set(tenantId, ofTenant)
    }
    ofTenant.set(digest, entry)
  }
}
