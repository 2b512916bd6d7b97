import { defineCollection } from '@gateway/sdk'
import { endingSchema, snapshotSchema } from './schema.ts'

/** Gateway-wide: one for each ended tenant. */
export const endings = defineCollection('tenant-end.endings', { schema: endingSchema, key: 'ended' })

/** Gateway-wide: one for each tenant and UTC day. */
export const snapshots = defineCollection('tenant-end.mrr', {
  schema: snapshotSchema,
  key: 'snapshotId',
  indexes: [{ keys: { tenantId: 1, day: 1 } }, { keys: { day: 1 } }],
})
