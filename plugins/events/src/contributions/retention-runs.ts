import { byHand } from '@gateway/sdk'
import { retention } from '../jobs/retention.ts'

export const retentionByHand = byHand(retention)
