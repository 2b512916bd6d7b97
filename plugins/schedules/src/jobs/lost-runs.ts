import { defineJob, dueIn, pages } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { eachOf } from '../operations/each-of.ts'
import { abandoned, giveUp, underWay } from '../operations/lost.ts'
import { runUses } from '../operations/run.ts'

const PAGE = 500

/**
 * Gives up runs whose process was killed, so that their schedules run again: within seconds after the restart of a gateway on an embedded
 * store, and about 45 s after the death of one of several, which is counted as dead after 40 s.
 */
export const lostRuns = defineJob('schedules.lost-runs', {
  everySeconds: 5,
  activeTenantsOnly: true,
  due: [dueIn(schedules, underWay.where)],
  uses: runUses,
  async run(refs, ctx): Promise<void> {
    for await (const items of pages(refs.schedules, { ...underWay, limit: PAGE })) {
      await eachOf(await abandoned(refs, items), (schedule) => giveUp(refs, schedule), ctx)
      if (ctx.signal.aborted) return
    }
  },
})
