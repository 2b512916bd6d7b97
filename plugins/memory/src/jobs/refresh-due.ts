import { defineJob, dueIn } from '@gateway/sdk'
import { dueOrigins } from '../collections.ts'
import { followUses, refreshDue } from '../operations/follow.ts'

/** Indexes documents whose writer was killed, or failed, between the change and the index. */
export const refreshDueJob = defineJob('memory.refresh-due', {
  everySeconds: 60,
  due: [dueIn(dueOrigins, { at: { gt: '' } })],
  uses: followUses,
  run: async (uses, ctx) => ({ refreshed: await refreshDue(uses, ctx) }),
})
