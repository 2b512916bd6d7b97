import { byHand } from '@gateway/sdk'
import { meterRetention } from '../jobs/meter-retention.ts'
import { rowRetention } from '../jobs/row-retention.ts'
import { sumRetention } from '../jobs/sum-retention.ts'

export const retentionsByHand = [byHand(rowRetention), byHand(sumRetention), byHand(meterRetention)]
