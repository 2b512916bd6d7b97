import { type Action, arg, definePage, Panel } from '@gateway/sdk'
import { MAX_UNREAD, mailAddresses } from '../routes/mail-addresses.ts'
import type { Message } from '../schema.ts'
import { mailAck } from '../tools/mail-ack.ts'
import { mailInbox } from '../tools/mail-inbox.ts'
import { mailSend } from '../tools/mail-send.ts'

export const ack: Action<Message> = {
  id: 'ack',
  label: 'Acknowledge',
  icon: 'check',
  tool: mailAck,
  arguments: { id: arg.row('/messageId') },
  all: 'Acknowledge these',
  when: { pointer: '/acked', in: [false] },
}
export const reply: Action<Message> = {
  id: 'reply',
  label: 'Reply',
  icon: 'reply',
  tool: mailSend,
  arguments: { to: arg.row('/from'), replyTo: arg.row('/messageId') },
  form: ['subject', 'body'],
}

export const mailboxPage = definePage({
  path: '/mailbox',
  title: 'Mailbox',
  description: 'Messages between agents and people.',
  icon: 'mail',
  group: 'work',
  order: 30,
  actions: [{ id: 'send', label: 'Write', icon: 'pencil', tone: 'primary', tool: mailSend, form: ['to', 'subject', 'body', 'kind'] }],
  panels: [
    Panel.list({
      id: 'inbox',
      title: 'Inbox',
      from: mailInbox,
      width: 'half',
      filters: [
        { argument: 'to', label: 'Address', initial: 'operator', placeholder: 'agent@machine' },
        { argument: 'includeAcked', label: 'With acknowledged' },
      ],
      rows: '/messages',
      key: '/messageId',
      head: '/subject',
      text: '/body',
      fields: {
        From: { value: '/from', beside: '/fromPrincipal' },
        Kind: { value: '/kind', format: 'badge', tones: { request: 'warn', blocked: 'bad' } },
        Swarm: { value: '/swarmId', link: { to: '/swarms/:swarmId', with: { swarmId: arg.row('/swarmId') } } },
        'Acknowledged by': { value: '/ackedBy', beside: '/ackedByPrincipal' },
        Received: { value: '/createdAt', format: 'time' },
      },
      open: { to: '/mailbox/threads/:id', with: { id: arg.row('/messageId') } },
      actions: [ack, reply],
      empty: { text: 'No mail waits for this address.', action: 'send' },
    }),
    Panel.table({
      id: 'addresses',
      title: 'Addresses',
      width: 'half',
      from: mailAddresses,
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/addresses',
      key: '/address',
      columns: {
        Address: '/address',
        Unread: { value: '/unread', format: 'number', stopsAt: MAX_UNREAD },
        'Last mail': { value: '/lastAt', format: 'time' },
      },
      open: { to: '/mailbox', with: { to: arg.row('/address') } },
      empty: { text: 'No mail was sent yet.', action: 'send' },
    }),
  ],
})
