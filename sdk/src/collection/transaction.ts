import type { Ref } from '../ref.ts'

/** An open transaction; valid until the function given to `atomically` returns. Hand it to a contributor that takes part. */
export interface Transaction {
  /** The store’s time, one value for the whole transaction. */
  readonly now: Date
  /**
   * Run this once the transaction is committed, before `atomically` resolves; never when it is rolled back. For telling
   * others what has changed. It must not throw.
   */
  afterCommit(run: () => void): void
}

/**
 * Run `work` with all its changes or none of them. `work` may run more than once (a distributed store retries on
 * conflict), so it changes nothing outside the store; and it waits for nothing but the store: other writers wait for it.
 */
export type Atomically = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
/** Resolves to `Atomically`: put it in `uses` to change several documents as one. */
export const atomically: Ref<'kernel', Atomically> = { kind: 'kernel', id: 'atomically' }
