import { atomically, Conflict, closed, defineRoute, NotFound, now, Type } from '@gateway/sdk'
import { enqueueUses, takePlace } from '../operations/enqueue.ts'
import { findDelivery } from '../operations/find-record.ts'
import { shownDelivery } from '../rules/show.ts'
import { Delivery, deliveryId, webhookId } from '../schema.ts'

export const replay = defineRoute({
  name: 'webhooks.replay',
  description:
    'Repeat a delivery that succeeded or was given up, under the same id and at the end of the queue; one that still waits is attempted at once. Returns the delivery as it waits.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/webhooks/:webhookId/deliveries/:deliveryId/replay',
  status: 202,
  input: Type.Object({ webhookId, deliveryId }, closed),
  output: Type.Object({ delivery: Delivery }, closed),
  uses: { ...enqueueUses, atomically },
  async handle({ webhookId, deliveryId }, { atomically, ...refs }, ctx) {
    const delivery = await atomically(async (tx) => {
      const deliveries = refs.deliveries.in(tx)
      const webhook = await refs.webhooks.in(tx).get(webhookId)
      if (!webhook) throw NotFound({ what: 'webhook', id: webhookId })
      const found = await findDelivery(deliveries, { webhookId, deliveryId })
      if (!webhook.enabled) throw Conflict({ field: 'webhookId', message: `${webhookId} is disabled; enable it first.` })
      if (found.endedAs === undefined) {
        // A running sender continues; a line that pauses after a failure continues at once.
        if (found.retryAt !== undefined) await deliveries.updateOne(deliveryId, { set: { retryAt: now() } })
        if (webhook.holder === undefined) await refs.webhooks.in(tx).updateOne(webhookId, { set: { nextAt: now() } })
        return (await deliveries.get(deliveryId)) ?? found
      }
      const place = await takePlace(refs, webhook, tx)
      const again = {
        set: { state: 'waiting', place } as const,
        inc: { replays: 1 },
        unset: ['endedAs', 'endedAt', 'firstFailedAt'] as const,
      }
      return (await deliveries.updateOne(deliveryId, again)) ?? found
    })
    ctx.audit('webhook.replay', { webhookId, deliveryId })
    return { delivery: shownDelivery(delivery) }
  },
})
