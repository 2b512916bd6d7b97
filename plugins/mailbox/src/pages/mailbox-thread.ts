import { arg, definePage, Panel } from '@gateway/sdk'
import { mailThread } from '../routes/mail-thread.ts'
import { ack, reply } from './mailbox.ts'

export const threadPage = definePage({
  path: '/mailbox/threads/:id',
  title: 'Conversation',
  icon: 'mail',
  group: 'work',
  heading: { titleOf: 'mail' },
  panels: [
    Panel.list({
      id: 'thread',
      title: 'Messages',
      from: mailThread,
      arguments: { id: arg.param('id') },
      rows: '/messages',
      key: '/messageId',
      head: '/subject',
      text: '/body',
      fields: {
        From: { value: '/from', beside: '/fromPrincipal' },
        To: '/to',
        Kind: { value: '/kind', format: 'badge', tones: { request: 'warn', blocked: 'bad' } },
        Acknowledged: { value: '/acked', format: 'boolean' },
        Sent: { value: '/createdAt', format: 'time' },
      },
      actions: [reply, ack],
      empty: 'Conversation not found. It may have been removed after its retention time.',
    }),
  ],
})
