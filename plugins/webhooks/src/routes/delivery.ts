import { closed, defineRoute, Type } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { findDelivery } from '../operations/find-record.ts'
import { shownDelivery } from '../rules/show.ts'
import { Delivery, deliveryId, webhookId } from '../schema.ts'

export const delivery = defineRoute({
  name: 'webhooks.delivery',
  description: 'Look up a delivery. Returns it with its body, byte for byte as it is signed and sent. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/:webhookId/deliveries/:deliveryId',
  input: Type.Object({ webhookId, deliveryId }, closed),
  output: Type.Object({ delivery: Type.Object({ ...Delivery.properties, body: Type.String() }, closed) }, closed),
  uses: { deliveries },
  async handle(ids, { deliveries }) {
    const found = await findDelivery(deliveries, ids)
    return { delivery: { ...shownDelivery(found), body: found.body } }
  },
})
