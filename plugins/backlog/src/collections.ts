import { closed, defineCollection, Type } from '@gateway/sdk'

/** One document at most: how far the backlog file is worked through. */
export const cursors = defineCollection('backlog.cursor', {
  schema: Type.Object({ cursor: Type.String(), consumed: Type.Integer(), updatedAt: Type.String() }, closed),
  key: 'cursor',
})
export const CURSOR = 'backlog'

/** A title is its own key, so that no order of calls can put it in twice. `place` rises with every title that is added. */
export const ledger = defineCollection('backlog.ledger', {
  schema: Type.Object({ title: Type.String(), place: Type.String() }, closed),
  key: 'title',
  indexes: [{ keys: { place: 1 } }],
})
