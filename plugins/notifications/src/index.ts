import { definePlugin } from '@gateway/sdk'
import { history, rings } from './collections.ts'
import { config } from './config.ts'
import { chats } from './contributions/agents-channels.ts'
import { channelFigures } from './contributions/health-figures.ts'
import { retry } from './jobs/retry.ts'
import { onAlert } from './listeners/alert.ts'
import { alertKept } from './operations/keep.ts'
import { notificationsPage } from './pages/notifications.ts'
import { paceProvider } from './services/pace.ts'
import { notificationsHistory } from './tools/notifications-history.ts'
import { notificationsSend } from './tools/notifications-send.ts'
import { notificationsTest } from './tools/notifications-test.ts'

/**
 * Tells people what they should know, through channels that the operator has set up. An alert’s life:
 *
 * 1. raised by any family, as the event `gateway.alert`; beyond a tenant’s share of a minute it is only logged, and counted;
 * 2. kept in its tenant’s ring before it is sent, so that a gateway that is killed meanwhile sends it later;
 * 3. sent to every enabled channel at once; what a channel answered is its result;
 * 4. sent again, by a job, to the channels that may take it later, until they do or the attempts are used up.
 *
 * What a tool sends is sent once, and kept afterwards: its caller has the result.
 */
export default definePlugin({
  id: 'notifications',
  sdk: '^1.0.0',
  description: 'Tells people of alerts and messages through chat and webhook channels, with a history per tenant.',
  config,
  collections: [history, rings],
  events: [alertKept],
  tools: [notificationsSend, notificationsHistory, notificationsTest],
  jobs: [retry],
  on: [onAlert],
  provides: [paceProvider],
  contributes: [channelFigures, chats],
  pages: [notificationsPage],
})
