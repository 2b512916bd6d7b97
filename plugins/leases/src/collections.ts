import { closed, defineCollection, Type } from '@gateway/sdk'
import { Lease } from './schema.ts'

/**
 * Each held key has one document; a release removes it. A crashed holder releases nothing, and a key that nobody asks for
 * again, such as that of a finished task, would stay forever: it is removed 30 days after it expired. `holderId` is the principal that acquired
 * the lease, since a holder's name may be that of others too.
 */
export const leases = defineCollection('leases', {
  schema: Type.Object({ ...Lease.properties, holderId: Type.Optional(Type.String()) }, closed),
  key: 'key',
  indexes: [{ keys: { leaseUntil: 1 }, expireAfterSeconds: 30 * 86_400 }, { keys: { holder: 1, acquiredAt: -1 } }],
})

/**
 * Source of fences. A release must not restart them, and a counter for each key that was ever held would be kept forever, so
 * keys share a fixed number of counters.
 */
export const fences = defineCollection('leases.fences', {
  schema: Type.Object({ counter: Type.String(), last: Type.Integer() }, closed),
  key: 'counter',
})
