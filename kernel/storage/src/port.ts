import type { Atomically, Collection, CollectionRef } from '@gateway/sdk'

/**
 * What the gateway needs of a store; nothing a plugin sees. An adapter passes `storageSuite` of `@gateway/testing`.
 *
 * A write resolves after it is durable: it survives a killed process and a power cut. Concurrent writes are serialised;
 * reads outside a transaction see only what is committed, and every write acknowledged before they began.
 */
export interface Store {
  readonly kind: 'sqlite' | 'mongodb'
  /** Whether other processes may have it open at the same time. */
  readonly shared: boolean
  /**
   * Make collections, indexes and text indexes ready. Called once, before any other method. Additive: an index that is
   * no longer declared is reported, not dropped, unless it is unique: it would go on refusing. Throws when the store was written by a newer schema version.
   */
  prepare(collections: readonly CollectionRef[]): Promise<PrepareReport>
  /** The collection as one tenant sees it. Cheap; the same object for the same arguments while it is in use. */
  collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc>
  /** Transactions; a transaction reaches only collections handed out for the same tenant. */
  atomically(tenantId: string): Atomically
  /** The tenants that have documents in any collection; one that is damaged is left out. */
  tenants(): Promise<readonly string[]>
  /** The tenants that have a document that matches. `where` leads with the keys of an index declared `acrossTenants`. */
  tenantsWith(ref: CollectionRef, where: object): Promise<readonly string[]>
  /**
   * How many documents of a tenant there are, by collection and without empty ones: in all collections that were ever written, those
   * of a family that is switched off among them.
   */
  documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>>
  /** Remove at most `limit` of them, so few at once that other writers hardly wait; the number removed, 0 when there are none. */
  removeSome(tenantId: string, limit: number): Promise<number>
  /** See to it that nothing of what was removed is left in files of this store; what must wait for the next start is `later`. */
  scrub(): Promise<'done' | 'later'>
  /** The store’s clock. */
  now(): Promise<Date>
  /** Whether the store answers, and figures for `GET /health/deep`. Never throws. */
  health(): Promise<StoreHealth>
  /** What changes, where it is told: see `watched`. */
  readonly changes?: Changes
  /** Finishes acknowledged work, then closes. Later calls reject with UNAVAILABLE. */
  close(): Promise<void>
}

/** Tells of committed changes of this process, by collection and tenant. */
export interface Changes {
  /** The listener must be quick and must not throw. The answer ends it. */
  listen(listener: (collection: string, tenantId: string) => void): () => void
}

export interface PrepareReport {
  readonly created: readonly string[]
  readonly unused: readonly string[]
}

export interface StoreHealth {
  readonly connected: boolean
  /** Why the last write was refused, while it can be read: the disk is full. */
  readonly writesFail?: string
  /** What was found damaged since the start; the rest is served. */
  readonly damaged?: string
  readonly [detail: string]: unknown
}
