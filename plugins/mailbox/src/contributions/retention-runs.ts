import { byHand } from '@gateway/sdk'
import { retention } from '../jobs/retention.ts'
import { unreadRetention } from '../jobs/unread-retention.ts'

export const retentionsByHand = [byHand(retention), byHand(unreadRetention)]
