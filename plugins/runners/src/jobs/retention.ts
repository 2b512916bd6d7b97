import { daysAgo, defineRetention } from '@gateway/sdk'
import { pastSessions } from '../collections.ts'

const KEPT_DAYS = 90

export const retention = defineRetention('runners.retention', {
  collection: pastSessions,
  past: () => ({ where: { releasedAt: { lte: daysAgo(KEPT_DAYS) } }, sort: { releasedAt: 1 } }),
})
