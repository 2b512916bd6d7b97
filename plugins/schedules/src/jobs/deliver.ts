import { defineJob, dueIn } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { deliverAgain, deliveryUses, undelivered } from '../operations/deliver.ts'

/** All at once, so that a channel that hangs delays none of the others; the rest waits for the next round. */
const PER_RUN = 20

/** Delivers results that their channel did not take before, and those whose process stopped before the delivery. */
export const deliverLeft = defineJob('schedules.deliver', {
  everySeconds: 15,
  activeTenantsOnly: true,
  due: [dueIn(deliveries, undelivered.where)],
  uses: deliveryUses,
  async run(refs, ctx): Promise<void> {
    const { items } = await refs.deliveries.find({ ...undelivered, limit: PER_RUN })
    const outcomes = await Promise.allSettled(items.map((delivery) => deliverAgain(refs, delivery, ctx)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') ctx.log.error('a result is still enqueued', { err: outcome.reason })
    }
  },
})
