import { arg, definePage, Panel } from '@gateway/sdk'
import { deliveries } from '../routes/deliveries.ts'
import { get } from '../routes/get.ts'
import { replay } from '../routes/replay.ts'

const webhookId = arg.param('webhookId')

export const webhookPage = definePage({
  path: '/webhooks/:webhookId',
  title: 'Webhook',
  icon: 'webhook',
  group: 'admin',
  panels: [
    Panel.detail({
      id: 'webhook',
      title: 'Receiver',
      from: get,
      arguments: { webhookId },
      record: '/webhook',
      names: '/url',
      fields: {
        Description: '/description',
        Events: { value: '/events', format: 'code' },
        Enabled: { value: '/enabled', format: 'boolean' },
        Waiting: { value: '/waiting', format: 'number' },
        Failures: { value: '/failures', format: 'number' },
        Created: { value: '/createdAt', format: 'time' },
      },
      empty: 'Webhook not found.',
    }),
    Panel.table({
      id: 'deliveries',
      title: 'Deliveries',
      from: deliveries,
      arguments: { webhookId },
      filters: ['state'],
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/deliveries',
      key: '/deliveryId',
      columns: {
        Event: { value: '/event', format: 'code' },
        State: { value: '/state', format: 'badge', tones: { delivered: 'good', retrying: 'warn', failed: 'bad' } },
        Attempts: { value: '/attempts', format: 'number' },
        'Last attempts': { value: '/lastAttempts', format: 'json' },
        Created: { value: '/createdAt', format: 'time' },
        Ended: { value: '/endedAt', format: 'time' },
        'Next try': { value: '/retryAt', format: 'time' },
      },
      actions: [
        {
          id: 'replay',
          label: 'Deliver again',
          icon: 'rotate-ccw',
          tool: replay,
          arguments: { webhookId, deliveryId: arg.row('/deliveryId') },
          when: { pointer: '/state', in: ['delivered', 'failed'] },
        },
      ],
      empty: 'No deliveries yet.',
    }),
  ],
})
