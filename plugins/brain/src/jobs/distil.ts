import { defineJob } from '@gateway/sdk'
import { distilDue, distilUses } from '../operations/distil-by-model.ts'

/** Condenses the atoms of sessions that ended, where a model is configured. The end of a session waits for no model. */
export const distilJob = defineJob('brain.distil', {
  everySeconds: 60,
  uses: distilUses,
  async run(refs, ctx) {
    await distilDue(refs, ctx, ctx.signal)
  },
})
