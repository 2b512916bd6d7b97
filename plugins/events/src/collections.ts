import { defineCollection } from '@gateway/sdk'
import { JournalState, StoredEvent } from './schema.ts'

export const journal = defineCollection('events.journal', {
  schema: StoredEvent,
  key: 'eventId',
  indexes: [
    { keys: { place: 1 }, present: 'place' },
    // Events without a place: few, since every reader and the retention give them theirs.
    { keys: { pending: 1, at: 1 }, present: 'pending', acrossTenants: true },
  ],
})

export const states = defineCollection('events.states', {
  schema: JournalState,
  key: 'journal',
  indexes: [{ keys: { grown: 1 }, present: 'grown', acrossTenants: true }],
})
