import { closed, defineCollection, Type } from '@gateway/sdk'
import { Lease } from './schema.ts'

/**
 * One document for each key that is held; a release removes it. Whoever crashed releases nothing, and a key of which nobody
 * asks again, as that of a finished task, would stay for ever: 30 days after it ran out it is forgotten.
 */
export const leases = defineCollection('leases', {
  schema: Lease,
  key: 'key',
  indexes: [{ keys: { leaseUntil: 1 }, expireAfterSeconds: 30 * 86_400 }],
})

/**
 * Where fences come from. A release must not make them begin anew, and a counter for each key that was ever held would
 * be kept for ever; so the keys share a fixed number of counters.
 */
export const fences = defineCollection('leases.fences', {
  schema: Type.Object({ counter: Type.String(), last: Type.Integer() }, closed),
  key: 'counter',
})
