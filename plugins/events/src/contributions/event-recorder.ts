import { contribute, eventRecorder } from '@gateway/sdk'
import { journal } from '../collections.ts'
import { config } from '../config.ts'
import { storedEvent } from '../rules/stored.ts'

/** Writes every public event into the journal, in the transaction of its change: one insert, which no other writer waits for. */
export const recordedEvents = contribute(eventRecorder, {
  uses: { journal, config },
  create: ({ journal, config }) => ({
    async record(recorded, tx) {
      await journal.in(tx).insert(storedEvent(recorded, tx.now, config.maxDataBytes))
    },
  }),
})
