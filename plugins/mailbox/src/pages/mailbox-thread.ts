import { arg, definePage, Panel } from '@gateway/sdk'
import { mailThread } from '../routes/mail-thread.ts'
import { mailAck } from '../tools/mail-ack.ts'
import { mailSend } from '../tools/mail-send.ts'

export const threadPage = definePage({
  path: '/mailbox/threads/:id',
  title: 'Conversation',
  icon: 'mail',
  group: 'work',
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
        From: '/from',
        To: '/to',
        Kind: { value: '/kind', format: 'badge', tones: { request: 'warn', blocked: 'bad' } },
        Acked: { value: '/acked', format: 'boolean' },
        Sent: { value: '/createdAt', format: 'time' },
      },
      actions: [
        {
          id: 'reply',
          label: 'Reply',
          icon: 'reply',
          tool: mailSend,
          arguments: { to: arg.row('/from'), replyTo: arg.row('/messageId') },
          form: ['subject', 'body'],
        },
        {
          id: 'ack',
          label: 'Ack',
          icon: 'check',
          tool: mailAck,
          arguments: { id: arg.row('/messageId') },
          when: { pointer: '/acked', in: [false] },
        },
      ],
      empty: 'This conversation is not there.',
    }),
  ],
})
