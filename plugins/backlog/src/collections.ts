import { closed, defineCollection, Type } from '@gateway/sdk'

/** Progress through the backlog file; at most one document. */
export const cursors = defineCollection('backlog.cursor', {
  schema: Type.Object({ cursor: Type.String(), consumed: Type.Integer(), updatedAt: Type.String() }, closed),
  key: 'cursor',
})
export const CURSOR = 'backlog'

/** The title is the key, so that no order of calls can add it twice. `place` rises with every added title. */
export const ledger = defineCollection('backlog.ledger', {
  schema: Type.Object({ title: Type.String(), place: Type.String() }, closed),
  key: 'title',
  indexes: [{ keys: { place: 1 } }],
})
