import { daysAgo, defineRetention } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { config } from '../config.ts'

export const dayRetention = defineRetention('usage.day-retention', {
  collection: counts,
  config,
  past: ({ keepDays }) => ({ where: { span: 'day', bucket: { lte: daysAgo(keepDays) } }, sort: { span: 1, bucket: 1 } }),
})
