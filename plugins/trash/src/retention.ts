import { defineRetention, now } from '@gateway/sdk'
import { entries } from './collections.ts'

/** Frees the space of what nobody can restore any more. */
export const retention = defineRetention('trash.retention', {
  collection: entries,
  past: () => ({ where: { purgeAfter: { lte: now() } }, sort: { purgeAfter: 1 } }),
})
