import { daysAgo, defineRetention } from '@gateway/sdk'
import { buckets } from '../collections.ts'
import { KEPT_DAYS } from '../rules/kept.ts'

export const bucketRetention = defineRetention('account-usage.bucket-retention', {
  collection: buckets,
  past: () => ({ where: { hour: { lte: daysAgo(KEPT_DAYS) } }, sort: { hour: 1 } }),
})
