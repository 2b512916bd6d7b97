import { atomically, closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { deliveries, webhooks } from '../collections.ts'
import { webhookId } from '../schema.ts'

export const remove = defineRoute({
  name: 'webhooks.remove',
  description: 'Delete a webhook with its deliveries, waiting ones included. Returns its id.',
  capability: 'configure',
  effect: 'destructive',
  rest: 'DELETE /api/webhooks/:webhookId',
  input: Type.Object({ webhookId }, closed),
  output: Type.Object({ webhookId: Type.String(), deleted: Type.Literal(true) }, closed),
  uses: { webhooks, deliveries, atomically },
  async handle({ webhookId }, { webhooks, deliveries, atomically }, ctx) {
    await atomically(async (tx) => {
      if (!(await webhooks.in(tx).deleteOne(webhookId))) throw NotFound({ what: 'webhook', id: webhookId })
      await deliveries.in(tx).deleteMany({ webhookId })
    })
    ctx.audit('webhook.change', { action: 'delete', webhookId })
    return { webhookId, deleted: true as const }
  },
})
