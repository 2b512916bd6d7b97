import { contribute, eventJournal } from '@gateway/sdk'
import { journal } from '../collections.ts'
import { readJournal, readUses } from '../operations/read.ts'

export const journalStream = contribute(eventJournal, {
  uses: readUses,
  create: (refs) => ({ collection: journal.id, read: (query) => readJournal(refs, query) }),
})
