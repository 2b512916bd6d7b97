import type { CallContext } from '@gateway/sdk'
import type { Schedule } from '../schema.ts'

/** A schedule that fails must not delay the others. */
export async function eachOf(schedules: readonly Schedule[], work: (schedule: Schedule) => Promise<void>, ctx: CallContext): Promise<void> {
  const guarded = async (schedule: Schedule): Promise<void> => {
    try {
      await work(schedule)
    } catch (error) {
      ctx.log.error('a schedule could not be worked off', { scheduleId: schedule.scheduleId, err: error })
    }
  }
  await Promise.all(schedules.map(guarded))
}
