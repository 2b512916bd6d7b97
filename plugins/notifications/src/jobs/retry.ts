import { defineJob, dueIn, now } from '@gateway/sdk'
import { history } from '../collections.ts'
import { attempt, attempting } from '../operations/attempt.ts'
import { ATTEMPT_SECONDS } from '../operations/keep.ts'

const due = { nextTryAt: { lte: now() } } as const
/** One after the other: a channel that hangs takes its time for each. */
const PER_RUN = 20

/** Sends alerts again to the channels that did not take them, and those whose sender was killed. */
export const retry = defineJob('notifications.retry', {
  everySeconds: 15,
  due: [dueIn(history, due)],
  uses: attempting,
  async run(refs, ctx): Promise<{ tried: number }> {
    const { items } = await refs.history.find({ where: due, sort: { nextTryAt: 1 }, limit: PER_RUN })
    let tried = 0
    for (const { notificationId, nextTryAt } of items) {
      if (ctx.signal.aborted) break
      const alert = await refs.history.updateOne(
        notificationId,
        { set: { nextTryAt: now(ATTEMPT_SECONDS) } },
        { nextTryAt: nextTryAt ?? null },
      )
      if (!alert) continue
      await attempt(refs, alert, ctx)
      tried++
    }
    return { tried }
  },
})
