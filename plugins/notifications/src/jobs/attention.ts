import { defineJob } from '@gateway/sdk'
import { watchAttention, watching } from '../operations/watch-attention.ts'

/** Raises alerts about the attention queue. Twice a minute, so that an item is told well within 90 seconds. */
export const attentionWatch = defineJob('notifications.attention', {
  everySeconds: 30,
  activeTenantsOnly: true,
  uses: watching,
  run: async (refs, ctx) => ({ alerts: await watchAttention(refs, ctx) }),
})
