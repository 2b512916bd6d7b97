import type { Atomically, Collection, CollectionRef, Transaction } from '@gateway/sdk'
import type { Row } from './migration/rows.ts'

/**
 * Interface of a store for the gateway; plugins never see it. An adapter passes `storageSuite` of `@gateway/testing`.
 *
 * A write resolves after it is durable: it survives a killed process and a power cut. Concurrent writes are serialised; reads
 * outside a transaction see only committed data, and every write acknowledged before they began.
 */
export interface Store {
  readonly kind: 'sqlite' | 'mongodb'
  /** True if other processes may have it open at the same time. */
  readonly shared: boolean
  /**
   * Prepares collections, indexes and text indexes. Called once, before any other method. Additive: an index that is no longer
   * declared is reported, not dropped, unless it is unique, because it would go on refusing. Throws if the store was written by
   * a newer schema version.
   */
  prepare(collections: readonly CollectionRef[]): Promise<PrepareReport>
  /** The collection as one tenant sees it. Cheap; the same object for the same arguments while it is in use. */
  collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc>
  /** Transactions; a transaction reaches only collections of the same tenant, and of the kernel's. */
  atomically(tenantId: string): Atomically
  /** Tenants with documents in any collection; a damaged collection is left out. */
  tenants(): Promise<readonly string[]>
  /** Tenants with a matching document. `where` begins with the keys of an index declared `acrossTenants`. */
  tenantsWith(ref: CollectionRef, where: object): Promise<readonly string[]>
  /**
   * Number of a tenant's documents by collection, without empty ones: in all collections that were ever written, including
   * those of families that are switched off.
   */
  documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>>
  /** Removes at most `limit` of them, few enough that other writers hardly wait; returns the number, 0 if there are none. */
  removeSome(tenantId: string, limit: number): Promise<number>
  /** Scrubs removed data from the files of this store; `later` means at the next start. */
  scrub(): Promise<'done' | 'later'>
  /** Makes the next start scrub, before it serves anybody. */
  scrubAtNextStart(): Promise<void>
  now(): Promise<Date>
  /** State of the store and figures for `GET /health/deep`. Never throws. */
  health(): Promise<StoreHealth>
  /** Notifications of changes, if available: see `watched`. */
  readonly changes?: Changes
  /** Finishes acknowledged work, then closes. Later calls reject with UNAVAILABLE. */
  close(): Promise<void>
}

/** A store that a copy fills before any gateway works on it. */
export interface FillableStore extends Store {
  /**
   * Inserts documents of any tenants, each by itself: a process that is killed meanwhile leaves some of them and no lock. Returns those
   * whose id or unique value another document has.
   */
  fill(ref: CollectionRef, rows: readonly Row[]): Promise<readonly Row[]>
}

/** Notifies of committed changes of this process, by collection and tenant. */
export interface Changes {
  /** The listener must be fast and must not throw. The returned function ends it. */
  listen(listener: (collection: string, tenantId: string) => void): () => void
  /**
   * Calls `announce` in each transaction that changes one of these collections, so that other processes learn of the change with its
   * commit. Such a write always runs in a transaction.
   */
  announce(collections: readonly CollectionRef[], announce: Announce): void
}

export type Announce = (tx: Transaction, tenantId: string) => Promise<void>

export interface PrepareReport {
  readonly created: readonly string[]
  readonly unused: readonly string[]
}

export interface StoreHealth {
  readonly connected: boolean
  /** Reason why the last write was refused while reads work: the disk is full. */
  readonly writesFail?: string
  /** Damage found since the start; the rest is served. */
  readonly damaged?: string
  readonly [detail: string]: unknown
}
