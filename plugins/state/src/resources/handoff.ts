import { resourceOf } from '@gateway/sdk'
import { HANDOFF_URI } from '../rules/handoff-uri.ts'
import { handoffRead } from '../tools/handoff-read.ts'

export const handoffResource = resourceOf(handoffRead, {
  uri: HANDOFF_URI,
  name: 'handoff',
  description: 'The latest handoff of a repo. Subscribers are notified of new entries.',
})
