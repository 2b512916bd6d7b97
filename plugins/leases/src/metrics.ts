import { defineMetric } from '@gateway/sdk'

export const held = defineMetric('gateway.leases.held', {
  kind: 'gauge',
  description: 'Leases held now, all tenants; at most 10,000 of one tenant are counted.',
  unit: '{lease}',
})
export const acquisitions = defineMetric('gateway.leases.acquisitions', {
  kind: 'counter',
  description: 'Requests for a lease by outcome: acquired, taken_over from an expired one, or refused.',
  unit: '{request}',
  labels: ['result'],
})
