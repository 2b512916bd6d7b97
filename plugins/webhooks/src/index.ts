import { definePlugin } from '@gateway/sdk'
import { deliveries, inbound, rings, webhooks } from './collections.ts'
import { config } from './config.ts'
import { recordedEvents } from './contributions/event-recorder.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { deliver } from './jobs/deliver.ts'
import { retention } from './jobs/retention.ts'
import { webhookPage } from './pages/webhook.ts'
import { webhooksPage } from './pages/webhooks.ts'
import { create } from './routes/create.ts'
import { deliveries as listDeliveries } from './routes/deliveries.ts'
import { delivery } from './routes/delivery.ts'
import { events } from './routes/events.ts'
import { get } from './routes/get.ts'
import { list } from './routes/list.ts'
import { ping } from './routes/ping.ts'
import { receive } from './routes/receive.ts'
import { received } from './routes/received.ts'
import { remove } from './routes/remove.ts'
import { replay } from './routes/replay.ts'
import { update } from './routes/update.ts'
import { slotsProvider } from './services/slots.ts'

/**
 * Outgoing: public events of all families, delivered to outside receivers. Life of a delivery:
 *
 * 1. Stored in the transaction of its event, at the end of the line of each subscribed webhook.
 * 2. Sent, one per webhook at a time and in the order of the line, signed; delivered when the receiver answers 2xx.
 * 3. Otherwise sent again with growing delays; from its fifth failure on apart from the line, so that later ones pass.
 * 4. Given up if others get through and it does not for three days. A receiver that takes nothing for that long has its webhook
 *    disabled: waiting deliveries are kept until somebody enables it.
 * 5. Replayed on request, under the same id; removed some time after its end, or when many newer ones have ended.
 *
 * Incoming: a webhook of code hosting is checked over its bytes, stored, and passed to the families in one transaction; then it
 * is acknowledged. The same delivery a second time changes nothing.
 */
export default definePlugin({
  id: 'webhooks',
  sdk: '^1.0.0',
  description: 'Webhooks: delivers public events to receivers outside, and receives events of code hosting.',
  config,
  collections: [webhooks, deliveries, inbound, rings],
  routes: [list, create, events, received, receive, get, update, remove, ping, listDeliveries, delivery, replay],
  jobs: [deliver, retention],
  provides: [slotsProvider],
  contributes: [recordedEvents, retentionByHand],
  pages: [webhooksPage, webhookPage],
})
