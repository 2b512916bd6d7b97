import { definePlugin } from '@gateway/sdk'
import { messageReceived } from './api.ts'
import { messages } from './collections.ts'
import { config } from './config.ts'
import { mailToAgents } from './contributions/agent-activity.ts'
import { overdueMail } from './contributions/attention.ts'
import { operatorMail } from './contributions/boot-section.ts'
import { mailAtBoot } from './contributions/context-part.ts'
import { mailToRepos } from './contributions/repo-activity.ts'
import { retentionsByHand } from './contributions/retention-runs.ts'
import { mailSearch } from './contributions/search-source.ts'
import { retention } from './jobs/retention.ts'
import { unreadRetention } from './jobs/unread-retention.ts'
import { mailIsNews } from './listeners/message-received.ts'
import { acked, sent } from './metrics.ts'
import { mailboxPage } from './pages/mailbox.ts'
import { threadPage } from './pages/mailbox-thread.ts'
import { inboxResource } from './resources/mailbox.ts'
import { mailAddresses } from './routes/mail-addresses.ts'
import { mailThread } from './routes/mail-thread.ts'
import { mailService } from './services/mailbox.ts'
import { mailAck } from './tools/mail-ack.ts'
import { mailInbox } from './tools/mail-inbox.ts'
import { mailSend } from './tools/mail-send.ts'

export default definePlugin({
  id: 'mailbox',
  sdk: '^1.0.0',
  description: 'Durable messages between agents, hosts, repos and roles: sent, waiting, acked.',
  config,
  collections: [messages],
  jobs: [retention, unreadRetention],
  events: [messageReceived],
  metrics: [sent, acked],
  on: [mailIsNews],
  tools: [mailSend, mailInbox, mailAck],
  routes: [mailAddresses, mailThread],
  resources: [inboxResource],
  provides: [mailService],
  contributes: [mailToAgents, mailToRepos, mailSearch, operatorMail, mailAtBoot, overdueMail, ...retentionsByHand],
  pages: [mailboxPage, threadPage],
})
