import { defineCollection } from '@gateway/sdk'
import { countSchema } from './schema.ts'

export const counts = defineCollection('usage.counts', {
  schema: countSchema,
  key: 'countId',
  indexes: [{ keys: { span: 1, dimension: 1, bucket: 1 } }, { keys: { span: 1, bucket: 1 } }],
})
