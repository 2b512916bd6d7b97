import { defineCollection } from '@gateway/sdk'
import { meterSchema } from './schema.ts'

/** Monthly usage; removed a year later. */
export const meters = defineCollection('entitlements.meters', {
  schema: meterSchema,
  key: 'meterId',
  indexes: [{ keys: { since: 1 }, expireAfterSeconds: 366 * 86_400 }],
})
