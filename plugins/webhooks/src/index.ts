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
 * Out: public events of all families, told to receivers outside. A delivery’s life:
 *
 * 1. kept in the transaction of what it tells of, at the end of the line of each webhook that subscribed to the event;
 * 2. sent, one of a webhook at a time and in the order of the line, signed; delivered when the receiver answers 2xx;
 * 3. else sent again, later and later; from its fifth failure on apart from the line, so that those behind it pass;
 * 4. given up when others get through and it does not for three days. A receiver that takes nothing for so long has its webhook
 *    disabled: what waits is kept until somebody enables it;
 * 5. replayed when somebody asks for it, under the same id; gone when it ended long ago, or many after it have.
 *
 * In: a webhook of code hosting is checked over its bytes, kept, and handed to the families in one transaction; then it is
 * acknowledged. The same delivery a second time changes nothing.
 */
export default definePlugin({
  id: 'webhooks',
  sdk: '^1.0.0',
  description: 'Webhooks: what happens here told to receivers outside, and what code hosting tells, received.',
  config,
  collections: [webhooks, deliveries, inbound, rings],
  routes: [list, create, events, received, receive, get, update, remove, ping, listDeliveries, delivery, replay],
  jobs: [deliver, retention],
  provides: [slotsProvider],
  contributes: [recordedEvents, retentionByHand],
  pages: [webhooksPage, webhookPage],
})
