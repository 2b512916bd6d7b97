import { arg, definePage, Panel } from '@gateway/sdk'
import { deliveries } from '../routes/deliveries.ts'
import { replay } from '../routes/replay.ts'

const webhookId = arg.param('webhookId')

export const webhookPage = definePage({
  path: '/webhooks/:webhookId',
  title: 'Deliveries',
  icon: 'webhook',
  group: 'admin',
  panels: [
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
