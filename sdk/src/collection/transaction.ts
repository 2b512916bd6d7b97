import type { Ref } from '../ref.ts'

/** An open transaction, valid until the function passed to `atomically` returns. Pass it to a contributor that takes part. */
export interface Transaction {
  /** The store's time, one value for the whole transaction. */
  readonly now: Date
  /**
   * Runs a function after the commit, before `atomically` resolves, and never after a rollback. Use it to notify others of the
   * change. It must not throw.
   */
  afterCommit(run: () => void): void
}

/**
 * Runs `work` with all its changes or none of them. `work` may run more than once (a distributed store retries on conflict), so
 * it must change nothing outside the store, and it must wait only for the store, because other writers wait for it.
 */
export type Atomically = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
/** Resolves to `Atomically`: put it in `uses` to change several documents as one. */
export const atomically: Ref<'kernel', Atomically> = { kind: 'kernel', id: 'atomically' }
