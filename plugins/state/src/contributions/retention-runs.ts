import { byHand } from '@gateway/sdk'
import { handoffRetention } from '../jobs/handoff-retention.ts'

export const retentionByHand = byHand(handoffRetention)
