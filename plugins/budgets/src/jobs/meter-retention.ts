import { daysAgo, defineRetention } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'

export const meterRetention = defineRetention('budgets.meter-retention', {
  collection: meters,
  config,
  past: ({ keepDays }) => ({ where: { since: { lte: daysAgo(keepDays) } }, sort: { since: 1 } }),
})
