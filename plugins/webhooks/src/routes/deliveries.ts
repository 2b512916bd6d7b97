import { closed, defined, defineRoute, LIST_BYTES, nextCursor, pageArguments, Type } from '@gateway/sdk'
import { deliveries as collection, webhooks } from '../collections.ts'
import { findWebhook } from '../operations/find-record.ts'
import { shownDelivery } from '../rules/show.ts'
import { Delivery, ROWS, STATES, webhookId } from '../schema.ts'

export const deliveries = defineRoute({
  name: 'webhooks.deliveries',
  description: 'List the deliveries of a webhook, newest first, with their outcome. Returns {deliveries, nextCursor?}. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/:webhookId/deliveries',
  input: Type.Object({ webhookId, state: Type.Optional(Type.Enum(STATES)), ...pageArguments(ROWS) }, closed),
  output: Type.Object({ deliveries: Type.Array(Delivery), nextCursor }, closed),
  uses: { webhooks, deliveries: collection },
  async handle({ webhookId, state, limit, cursor }, { webhooks, deliveries }) {
    await findWebhook(webhooks, webhookId)
    const where = { webhookId, ...defined({ state }) }
    const query = { where, sort: { createdAt: -1 }, limit: ROWS.of(limit), maxBytes: LIST_BYTES, ...defined({ cursor }) } as const
    const { items, nextCursor } = await deliveries.find(query)
    return { deliveries: items.map(shownDelivery), ...defined({ nextCursor }) }
  },
})
