import { CLOCK_TOLERANCE_SECONDS, defineJob, now, pages } from '@gateway/sdk'
import { putBack } from '@gateway/sdk/cron'
import { schedules } from '../collections.ts'
import { config } from '../config.ts'

const PAGE = 1_000
/**
 * Corrects values written by a clock that was ahead and has been set back: next runs, and leases of runs, too far away. Runs
 * hourly, and immediately after a step back, since this job itself ran in the time that is now the future.
 */
export const setBack = defineJob('schedules.set-back', {
  everySeconds: 3_600,
  uses: { schedules, config },
  async run({ schedules, config }, ctx): Promise<number> {
    let corrected = 0
    const where = { enabled: true, nextRun: { gt: now() } }
    for await (const items of pages(schedules, { where, sort: { nextRun: 1 }, limit: PAGE })) {
      for (const { scheduleId, cronExpr, nextRun } of items) {
        const right = putBack(cronExpr, nextRun, ctx.now())
        if (right === undefined || !(await schedules.updateOne(scheduleId, { set: { nextRun: right } }, { nextRun }))) continue
        corrected++
        ctx.log.warn('the next run was further away than its expression means: the clock was set back', { scheduleId, nextRun, right })
      }
      if (ctx.signal.aborted) break
    }
    const tooLong = { runLeaseUntil: { gt: now(config.runLeaseSeconds + CLOCK_TOLERANCE_SECONDS) } }
    return corrected + (await schedules.updateMany(tooLong, { set: { runLeaseUntil: now(config.runLeaseSeconds) } }))
  },
})
