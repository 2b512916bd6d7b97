import { daysAgo, defineRetention } from '@gateway/sdk'
import { spend } from '../collections.ts'
import { config } from '../config.ts'

export const rowRetention = defineRetention('budgets.row-retention', {
  collection: spend,
  config,
  past: ({ keepDays }) => ({ where: { createdAt: { lte: daysAgo(keepDays) } }, sort: { createdAt: 1 } }),
})
