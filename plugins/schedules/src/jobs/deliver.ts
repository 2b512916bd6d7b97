import { defineJob, dueIn } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { deliverAgain, deliveryUses, undelivered } from '../operations/deliver.ts'

const PAGE = 100

/** Delivers results whose process stopped between the commit of the run and the delivery. */
export const deliverLeft = defineJob('schedules.deliver', {
  everySeconds: 30,
  activeTenantsOnly: true,
  due: [dueIn(deliveries, undelivered.where)],
  uses: deliveryUses,
  async run(refs, ctx): Promise<void> {
    const { items } = await refs.deliveries.find({ ...undelivered, limit: PAGE })
    for (const delivery of items) {
      if (ctx.signal.aborted) return
      await deliverAgain(refs, delivery, ctx)
    }
  },
})
