import { defineContribution, defineService, type Transaction } from '@gateway/sdk'

/** A removed record as the trash lists it. Times are ISO 8601 in UTC. */
export interface TrashEntry {
  /** Prefix `trash-`. */
  readonly trashId: string
  readonly kind: string
  /** The id that the record had in its family. */
  readonly itemId: string
  /** Name of the record for people, such as the title of a task. */
  readonly label: string
  readonly repo?: string
  /** Number of records in the entry: 1 for a task, the number of days for a plan. */
  readonly itemCount: number
  readonly deletedBy: string
  readonly reason?: string
  readonly deletedAt: string
  /** The entry is gone from this time on. */
  readonly purgeAfter: string
}

export interface Discarded {
  readonly kind: string
  readonly itemId: string
  readonly label: string
  readonly repo?: string | undefined
  readonly itemCount: number
  readonly deletedBy: string
  readonly reason?: string | undefined
  /** Data that the family needs to restore it, as JSON. */
  readonly payload: unknown
}

export interface KeptEntry extends TrashEntry {
  readonly payload: unknown
}

/** Selects the entry to take back: `trashId` wins; by `itemId` it is the newest one. One of the two must be given. */
export interface TrashChoice {
  readonly kind: string
  readonly trashId?: string | undefined
  readonly itemId?: string | undefined
}

/**
 * The bin that other families move their records to. Its methods take part in the caller's transaction, so that a record is never
 * in two places and never in none.
 */
export interface TrashBin {
  /** Keeps a removed record until the retention time is over. Refuses a kind that no family contributed (`trashKind`). */
  put(entry: Discarded, tx: Transaction): Promise<TrashEntry>
  /** Removes the entry and returns it with its payload; `undefined` if it does not exist, or no longer. */
  take(choice: TrashChoice, tx: Transaction): Promise<KeptEntry | undefined>
  /**
   * Puts back an entry taken in the same transaction, whole or the part of it that could not be restored: under the same id, with
   * the same purge time.
   */
  giveBack(entry: KeptEntry, tx: Transaction): Promise<void>
}
export const trashBin = defineService<TrashBin>('trash.bin')

/** Declared by a family that puts records into the trash: the kind it uses, and the tool that takes them back. */
export interface TrashKind {
  /** Kind as `trash_list` shows it: `task`, `plan`. */
  readonly kind: string
  readonly restoreTool: string
  /**
   * Called in the transaction that removes entries of the kind for good, so that the family can remove what it kept for their
   * return.
   */
  purged?(entries: readonly KeptEntry[], tx: Transaction): Promise<void>
}
export const trashKind = defineContribution<TrashKind>('trash.kind')
