import { atomically, Conflict, closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { enqueue, enqueueUses } from '../operations/enqueue.ts'
import { shownDelivery } from '../rules/show.ts'
import { Delivery, webhookId } from '../schema.ts'

export const ping = defineRoute({
  name: 'webhooks.ping',
  description: 'Send the event webhooks.ping to one webhook, regardless of its subscriptions, to test its receiver. Returns the delivery.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/webhooks/:webhookId/ping',
  status: 202,
  input: Type.Object({ webhookId }, closed),
  output: Type.Object({ delivery: Delivery }, closed),
  uses: { ...enqueueUses, atomically },
  async handle({ webhookId }, { atomically, ...refs }, ctx) {
    return atomically(async (tx) => {
      const webhook = await refs.webhooks.in(tx).get(webhookId)
      if (!webhook) throw NotFound({ what: 'webhook', id: webhookId })
      if (!webhook.enabled) throw Conflict({ field: 'webhookId', message: `${webhookId} is disabled; enable it first.` })
      const ping = { eventId: ctx.newId('event-'), event: 'webhooks.ping', payload: { webhookId } }
      const [delivery] = await enqueue(refs, [webhook], ping, tx, ctx)
      if (!delivery) throw new Error('a ping was not kept')
      return { delivery: shownDelivery(delivery) }
    })
  },
})
