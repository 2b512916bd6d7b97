import { defineCollection } from '@gateway/sdk'
import { meterSchema } from './schema.ts'

/** What is used up by the month; forgotten a year later. */
export const meters = defineCollection('entitlements.meters', {
  schema: meterSchema,
  key: 'meterId',
  indexes: [{ keys: { since: 1 }, expireAfterSeconds: 366 * 86_400 }],
})
