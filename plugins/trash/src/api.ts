import { defineContribution, defineService, type Transaction } from '@gateway/sdk'

/** A removed record as the trash lists it. Times are ISO 8601 in UTC. */
export interface TrashEntry {
  /** Prefix `trash-`. */
  readonly trashId: string
  readonly kind: string
  /** The id the record had in its family. */
  readonly itemId: string
  /** What a person would call it, as the title of a task. */
  readonly label: string
  readonly repo?: string
  /** How many records the entry holds: 1 for a task, the number of days for a plan. */
  readonly itemCount: number
  readonly deletedBy: string
  readonly reason?: string
  readonly deletedAt: string
  /** From this time on the entry is gone. */
  readonly purgeAfter: string
}

/** What a family hands over when it removes something. */
export interface Discarded {
  readonly kind: string
  readonly itemId: string
  readonly label: string
  readonly repo?: string | undefined
  readonly itemCount: number
  readonly deletedBy: string
  readonly reason?: string | undefined
  /** Whatever the family needs to put it back, as JSON. */
  readonly payload: unknown
}

/** An entry with what its family needs to restore it. */
export interface KeptEntry extends TrashEntry {
  readonly payload: unknown
}

/** Which entry to take back: `trashId` wins; by `itemId` it is the newest one. One of the two must be given. */
export interface TrashChoice {
  readonly kind: string
  readonly trashId?: string | undefined
  readonly itemId?: string | undefined
}

/**
 * The bin other families move their records to. Its methods take part in the caller’s transaction, so that a record
 * is never in two places and never in none.
 */
export interface TrashBin {
  /** Keep what was removed, until the retention time is over. Refuses a kind that no family contributed (`trashKind`). */
  put(entry: Discarded, tx: Transaction): Promise<TrashEntry>
  /** Remove the entry and return it with its payload; `undefined` when there is none, or none any more. */
  take(choice: TrashChoice, tx: Transaction): Promise<KeptEntry | undefined>
  /**
   * Put back what was taken in the same transaction, whole or the part of it that could not be restored: under the same id,
   * and gone for good at the same time as before.
   */
  giveBack(entry: KeptEntry, tx: Transaction): Promise<void>
}
export const trashBin = defineService<TrashBin>('trash.bin')

/** A family that puts records into the trash says so once: the kind it uses, and the tool that takes them back. */
export interface TrashKind {
  /** As listed by `trash_list`: `task`, `plan`. */
  readonly kind: string
  readonly restoreTool: string
  /**
   * These entries of the kind are gone for good, in the transaction that removes them: what the family kept for their return
   * can go too.
   */
  purged?(entries: readonly KeptEntry[], tx: Transaction): Promise<void>
}
export const trashKind = defineContribution<TrashKind>('trash.kind')
