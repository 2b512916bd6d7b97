import { defineMetric } from '@gateway/sdk'

export const sent = defineMetric('gateway.mailbox.sent', { kind: 'counter', description: 'Messages that were stored.', unit: '{message}' })
export const acked = defineMetric('gateway.mailbox.acked', {
  kind: 'counter',
  description: 'Messages that were marked as handled, or taken as a request; sent messages without an ack still wait.',
  unit: '{message}',
})
