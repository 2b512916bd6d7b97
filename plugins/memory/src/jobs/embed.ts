import { defineJob, dueIn } from '@gateway/sdk'
import { records } from '../collections.ts'
import { embedPending } from '../operations/embed-pending.ts'
import { memoryUses } from '../operations/uses.ts'

/** Embeds chunks that were stored while there was no model, or before a restart. */
export const embedJob = defineJob('memory.embed', {
  everySeconds: 60,
  due: [dueIn(records, { pending: { gt: '' } })],
  uses: memoryUses,
  run: async (uses, ctx) => ({ embedded: await embedPending(uses, ctx) }),
})
