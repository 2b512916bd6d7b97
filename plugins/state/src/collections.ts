import { defineCollection } from '@gateway/sdk'
import { DueMirror, Handoff, HandoffHead, StateDocument } from './schema.ts'

/** State and handoff files of repos that have no folder on this machine. */
export const documents = defineCollection('state.documents', {
  schema: StateDocument,
  key: 'documentId',
  indexes: [{ keys: { repo: 1 } }],
})

export const handoffs = defineCollection('state.handoffs', {
  schema: Handoff,
  key: 'handoffId',
  indexes: [{ keys: { repo: 1, handoffId: -1 } }, { keys: { sessionId: 1, handoffId: -1 }, present: 'sessionId' }],
  text: ['summary', 'content'],
})

/** Written with each entry: the list of all repos reads one document for each, without counting. */
export const heads = defineCollection('state.handoff-heads', {
  schema: HandoffHead,
  key: 'repo',
  indexes: [{ keys: { updatedAt: -1 } }],
})

/** Entries still to be copied into handoff files: written with the entry, removed once the file holds it. */
export const dueMirrors = defineCollection('state.due-mirrors', {
  schema: DueMirror,
  key: 'handoffId',
  indexes: [{ keys: { repo: 1, handoffId: 1 } }],
})
