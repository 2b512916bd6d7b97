import { daysAgo, defineRetention } from '@gateway/sdk'
import { hours } from '../collections.ts'
import { KEPT_DAYS } from '../rules/kept.ts'

export const hourRetention = defineRetention('account-usage.hour-retention', {
  collection: hours,
  past: () => ({ where: { hour: { lte: daysAgo(KEPT_DAYS) } }, sort: { hour: 1 } }),
})
