import { arg, definePage, Panel } from '@gateway/sdk'
import { create } from '../routes/create.ts'
import { events } from '../routes/events.ts'
import { list } from '../routes/list.ts'
import { ping } from '../routes/ping.ts'
import { received } from '../routes/received.ts'
import { remove } from '../routes/remove.ts'
import { update } from '../routes/update.ts'

const webhookId = arg.row('/webhookId')

export const webhooksPage = definePage({
  path: '/webhooks',
  title: 'Webhooks',
  description: 'Receivers outside that are notified of public events.',
  icon: 'webhook',
  group: 'admin',
  order: 75,
  actions: [
    {
      id: 'new-webhook',
      label: 'New webhook',
      icon: 'plus',
      tone: 'primary',
      tool: create,
      form: ['url', 'events', 'description'],
      shows: { kind: 'json', text: '' },
    },
  ],
  panels: [
    Panel.table({
      id: 'webhooks',
      title: 'Receivers',
      from: list,
      rows: '/webhooks',
      key: '/webhookId',
      columns: {
        URL: { value: '/url', format: 'code' },
        Events: { value: '/events', format: 'badge' },
        Enabled: { value: '/enabled', format: 'boolean' },
        'Switched off': {
          value: '/disabled/reason',
          format: 'badge',
          tones: { unreachable: 'bad', gone: 'bad', backlog: 'bad', secret: 'bad' },
        },
        Waiting: { value: '/waiting', format: 'number' },
        Failures: { value: '/failures', format: 'number' },
        'Last delivered': { value: '/lastDeliveredAt', format: 'time' },
      },
      open: { to: '/webhooks/:webhookId', with: { webhookId } },
      actions: [
        { id: 'ping', label: 'Send test event', icon: 'radio', tool: ping, arguments: { webhookId } },
        {
          id: 'enable',
          label: 'Switch on',
          icon: 'play',
          tool: update,
          arguments: { webhookId, enabled: true },
          when: { pointer: '/enabled', in: [false] },
          undo: { tool: update, arguments: { webhookId: arg.before('/webhookId'), enabled: false } },
        },
        {
          id: 'disable',
          label: 'Switch off',
          icon: 'pause',
          tool: update,
          arguments: { webhookId, enabled: false },
          when: { pointer: '/enabled', in: [true] },
          undo: { tool: update, arguments: { webhookId: arg.before('/webhookId'), enabled: true } },
        },
        {
          id: 'remove',
          label: 'Remove',
          icon: 'trash-2',
          tool: remove,
          arguments: { webhookId },
          confirm: { object: arg.row('/url'), text: 'It gets no more deliveries, and waiting ones are dropped.', typed: true },
        },
      ],
      empty: { text: 'No webhooks yet.', action: 'new-webhook' },
    }),
    Panel.table({
      id: 'events',
      title: 'Available events',
      width: 'half',
      from: events,
      rows: '/events',
      key: '/event',
      columns: { Event: { value: '/event', format: 'code' }, What: '/description', Plugin: { value: '/plugin', format: 'badge' } },
      empty: 'No public events.',
    }),
    Panel.table({
      id: 'received',
      title: 'Received from code hosting',
      width: 'half',
      from: received,
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/received',
      key: '/inboundId',
      columns: {
        Event: { value: '/event', format: 'code' },
        Understood: { value: '/understood', format: 'boolean' },
        Changed: { value: '/changed', format: 'code' },
        Received: { value: '/receivedAt', format: 'time' },
      },
      empty: 'No events received yet.',
    }),
  ],
})
