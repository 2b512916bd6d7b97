import { daysAgo, defineRetention } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { config } from '../config.ts'

export const hourRetention = defineRetention('usage.hour-retention', {
  collection: counts,
  config,
  past: ({ keepHoursDays }) => ({ where: { span: 'hour', bucket: { lte: daysAgo(keepHoursDays) } }, sort: { span: 1, bucket: 1 } }),
})
