import { defineCollection } from '@gateway/sdk'
import { accountSchema, assetSchema, bucketSchema, hourSchema, readingSchema } from './schema.ts'

export const accounts = defineCollection('account-usage.accounts', { schema: accountSchema, key: 'account' })

export const buckets = defineCollection('account-usage.buckets', {
  schema: bucketSchema,
  key: 'bucketId',
  indexes: [{ keys: { hour: 1 } }],
})

export const hours = defineCollection('account-usage.hours', {
  schema: hourSchema,
  key: 'hourId',
  indexes: [{ keys: { account: 1, hour: 1 } }, { keys: { hour: 1 } }],
})

export const readings = defineCollection('account-usage.readings', {
  schema: readingSchema,
  key: 'readingId',
  indexes: [{ keys: { account: 1, at: -1 } }, { keys: { at: 1 } }],
})

export const assets = defineCollection('account-usage.assets', {
  schema: assetSchema,
  key: 'assetId',
  indexes: [{ keys: { account: 1 } }],
})
