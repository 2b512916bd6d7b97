import { defineContribution } from './contribution.ts'

/** A part of the journal of public events. */
export interface JournalPart {
  readonly events: readonly { readonly cursor: string; readonly event: string }[]
  /** `since` for the next read. */
  readonly cursor: string
  /** More events follow at once. */
  readonly more: boolean
  /** Events after `since` were removed before they were read. */
  readonly gap: boolean
}
/** The journal of public events of a tenant, as the transport streams it. */
export interface EventJournal {
  /** Id of the collection whose changes announce new events. */
  readonly collection: string
  /** Throws BAD_REQUEST naming `field` if `since` is not a cursor of this journal. */
  read(query: {
    readonly since?: string | undefined
    readonly events?: readonly string[] | undefined
    readonly limit: number
    readonly field?: string
  }): Promise<JournalPart>
}
/** Contributes the journal that `GET /api/events` streams. */
export const eventJournal = defineContribution<EventJournal>('gateway.event-journal')
