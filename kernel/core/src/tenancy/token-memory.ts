import { hash } from 'node:crypto'
import type { CollectionRef, Holds, SignedIn } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Store } from '@gateway/storage'
import type { Clock } from '../clock.ts'
import type { Relay } from '../ports/relay.ts'

export type Checked = SignedIn & { readonly holds?: Holds }

interface Entry {
  readonly found: SignedIn
  readonly holds: Holds
  readonly validUntil: number
}

/** Tokens that are remembered, per tenant; the oldest is evicted first. */
const MAX_OF_TENANT = 1_000
const MAX_TENANTS = 1_000

/** Topic of the messages about changes that end answers. */
const CHANGED = 'tokens.changed'
/** A node of an earlier version, which may run beside this one during an upgrade, announces no changes. */
const MAX_SHARED_MS = 60_000

export interface TokenMemoryParts {
  readonly store: Pick<Store, 'shared' | 'changes'>
  readonly relay: Pick<Relay, 'publishInTransaction' | 'subscribe' | 'onGap'>
  readonly clock: Clock
  /** Tells whether an API key is valid now. Its caller has received the messages of the other nodes. */
  readonly stands: (tenantId: string, keyId: string) => boolean | Promise<boolean>
  /** Collections that answers depend on. */
  readonly collections: readonly CollectionRef[]
}

/**
 * Remembers the answers of token checks for as long as they hold: until their time, and while no collection that they depend on
 * changes in their tenant. Where other processes write to the store, each change is announced to all nodes in the transaction that
 * makes it; the caller asks here after it has received all messages. Entries are keyed by digest, so that a memory dump holds no secret.
 */
export class TokenMemory {
  readonly #parts: TokenMemoryParts
  readonly #tenants = new BoundedMap<string, BoundedMap<string, Entry>>(MAX_TENANTS)
  /** Counts changes, so that an answer that was read before a change is not remembered after it. */
  #changes = 0

  constructor(parts: TokenMemoryParts) {
    this.#parts = parts
    const { store, relay, collections } = parts
    if (store.shared) {
      // The messages of this node count too: a commit whose answer was lost is learned from them alone.
      relay.subscribe(CHANGED, ({ tenantId }) => this.forget(tenantId), { own: true })
      relay.onGap(() => this.#forgetAll())
      store.changes?.announce(collections, (tx, tenantId) => relay.publishInTransaction(tx, { topic: CHANGED, tenantId }))
      return
    }
    const ids = new Set(collections.map(({ id }) => id))
    store.changes?.listen((collection, tenantId) => {
      if (ids.has(collection)) this.forget(tenantId)
    })
  }

  async of(tenantId: string, ticket: string, check: () => Promise<Checked | undefined>): Promise<SignedIn | undefined> {
    const { store, clock, stands } = this.#parts
    if (store.changes === undefined) return check()
    const digest = hash('sha256', ticket, 'base64url')
    const known = this.#tenants.get(tenantId)?.get(digest)
    if (known && known.validUntil > clock.now()) {
      const { keyId } = known.holds
      return keyId === undefined || (await stands(tenantId, keyId)) ? known.found : undefined
    }
    const before = this.#changes
    const found = await check()
    const holds = found?.holds
    if (!found || !holds || before !== this.#changes) return found
    const until = Date.parse(holds.until)
    const validUntil = store.shared ? Math.min(until, clock.now() + MAX_SHARED_MS) : until
    this.#remember(tenantId, digest, { found, holds, validUntil })
    return found
  }

  forget(tenantId: string): void {
    this.#changes++
    this.#tenants.delete(tenantId)
  }

  #forgetAll(): void {
    this.#changes++
    this.#tenants.clear()
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
