import { daysAgo, defineRetention } from '@gateway/sdk'
import { runs } from '../collections.ts'

const KEPT_DAYS = 90

export const retention = defineRetention('fleet.retention', {
  collection: runs,
  past: () => ({ where: { startedAt: { lte: daysAgo(KEPT_DAYS) } }, sort: { startedAt: 1 } }),
})
