import { byHand } from '@gateway/sdk'
import { dayRetention } from '../jobs/day-retention.ts'
import { hourRetention } from '../jobs/hour-retention.ts'

export const retentionsByHand = [byHand(dayRetention), byHand(hourRetention)]
