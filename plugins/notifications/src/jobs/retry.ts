import { type CallContext, defineJob, dueIn, now, type Resolved } from '@gateway/sdk'
import { history } from '../collections.ts'
import { attempt, attempting } from '../operations/attempt.ts'
import { ATTEMPT_SECONDS } from '../operations/keep.ts'
import type { Notification } from '../schema.ts'

const due = { nextTryAt: { lte: now() } } as const
/** All at once, so that a channel that hangs delays none of them; the rest waits for the next round. */
const PER_RUN = 20

/** Sends alerts again to channels that did not accept them, and those whose sender was killed. */
export const retry = defineJob('notifications.retry', {
  everySeconds: 15,
  due: [dueIn(history, due)],
  uses: attempting,
  async run(refs, ctx): Promise<{ tried: number }> {
    const { items } = await refs.history.find({ where: due, sort: { nextTryAt: 1 }, limit: PER_RUN })
    const tried = await Promise.all(items.map((alert) => again(refs, alert, ctx)))
    return { tried: tried.filter(Boolean).length }
  },
})

/** True if this run has sent it: another may have begun to. */
async function again(refs: Resolved<typeof attempting>, { notificationId, nextTryAt }: Notification, ctx: CallContext): Promise<boolean> {
  const alert = await refs.history.updateOne(notificationId, { set: { nextTryAt: now(ATTEMPT_SECONDS) } }, { nextTryAt: nextTryAt ?? null })
  if (alert) await attempt(refs, alert, ctx)
  return alert !== undefined
}
