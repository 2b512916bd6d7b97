import { definePlugin } from '@gateway/sdk'
import { attention, history, rings } from './collections.ts'
import { config } from './config.ts'
import { chats } from './contributions/agents-channels.ts'
import { channelFigures } from './contributions/health-figures.ts'
import { runResults } from './contributions/schedules-run-channels.ts'
import { attentionWatch } from './jobs/attention.ts'
import { retry } from './jobs/retry.ts'
import { onAlert } from './listeners/alert.ts'
import { onDispatchCycle } from './listeners/dispatch-cycle.ts'
import { alertKept } from './operations/keep.ts'
import { notificationsPage } from './pages/notifications.ts'
import { paceProvider } from './services/pace.ts'
import { quietProvider } from './services/quiet.ts'
import { notificationsHistory } from './tools/notifications-history.ts'
import { notificationsSend } from './tools/notifications-send.ts'
import { notificationsTest } from './tools/notifications-test.ts'

/**
 * Notifies people through channels that the operator has configured. Life of an alert:
 *
 * 1. Raised by any family, as the event `gateway.alert`; beyond a tenant's share per minute it is only logged and counted.
 * 2. Kept in its tenant's ring before it is sent, so that a killed gateway sends it later.
 * 3. Sent to every enabled channel at once; the answer of a channel is its result.
 * 4. Sent again, by a job, to channels that may accept it later, until they do or the attempts are used up.
 *
 * Items of the attention queue become alerts when they are bad or wait too long; their states are stored with the alert.
 *
 * Notifications of a tool are sent once and kept afterwards: the caller has the result.
 */
export default definePlugin({
  id: 'notifications',
  sdk: '^1.0.0',
  description: 'Sends alerts and messages to people through chat and webhook channels, with a history per tenant.',
  config,
  collections: [history, rings, attention],
  events: [alertKept],
  tools: [notificationsSend, notificationsHistory, notificationsTest],
  jobs: [retry, attentionWatch],
  on: [onAlert, onDispatchCycle],
  provides: [paceProvider, quietProvider],
  contributes: [channelFigures, chats, runResults],
  pages: [notificationsPage],
})
