import { byHand } from '@gateway/sdk'
import { bucketRetention } from '../jobs/bucket-retention.ts'
import { hourRetention } from '../jobs/hour-retention.ts'
import { readingRetention } from '../jobs/reading-retention.ts'

export const retentionsByHand = [byHand(readingRetention), byHand(bucketRetention), byHand(hourRetention)]
