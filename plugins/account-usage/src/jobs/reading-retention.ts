import { daysAgo, defineRetention } from '@gateway/sdk'
import { readings } from '../collections.ts'
import { KEPT_DAYS } from '../rules/kept.ts'

export const readingRetention = defineRetention('account-usage.reading-retention', {
  collection: readings,
  past: () => ({ where: { at: { lte: daysAgo(KEPT_DAYS) } }, sort: { at: 1 } }),
})
