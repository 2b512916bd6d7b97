import { daysAgo, defineRetention } from '@gateway/sdk'
import { sums } from '../collections.ts'
import { config } from '../config.ts'

export const sumRetention = defineRetention('budgets.sum-retention', {
  collection: sums,
  config,
  past: ({ keepDays }) => ({ where: { day: { lte: daysAgo(keepDays) } }, sort: { day: 1 } }),
})
