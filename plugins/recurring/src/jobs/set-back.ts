import { defineJob, now, pages } from '@gateway/sdk'
import { putBack } from '@gateway/sdk/cron'
import { recurringTasks } from '../collections.ts'

const PAGE = 1_000

/**
 * Corrects next fires written by a clock that was ahead and has been set back. Runs hourly, and immediately after a step back,
 * since this job itself ran in the time that is now the future.
 */
export const setBack = defineJob('recurring.set-back', {
  everySeconds: 3_600,
  uses: { recurringTasks },
  async run({ recurringTasks }, ctx): Promise<number> {
    let corrected = 0
    const where = { enabled: true, nextFireAt: { gt: now() } }
    for await (const items of pages(recurringTasks, { where, sort: { nextFireAt: 1 }, limit: PAGE })) {
      for (const { recurringId, cronExpr, nextFireAt } of items) {
        const right = putBack(cronExpr, nextFireAt, ctx.now())
        if (right === undefined || !(await recurringTasks.updateOne(recurringId, { set: { nextFireAt: right } }, { nextFireAt }))) continue
        corrected++
        ctx.log.warn('the next fire was further away than its expression means: the clock was set back', { recurringId, nextFireAt, right })
      }
      if (ctx.signal.aborted) break
    }
    return corrected
  },
})
