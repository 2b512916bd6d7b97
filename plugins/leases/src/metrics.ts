import { defineMetric } from '@gateway/sdk'

export const held = defineMetric('gateway.leases.held', {
  kind: 'gauge',
  description: 'Leases of all tenants that are held now; of one tenant at most 10,000 are counted.',
  unit: '{lease}',
})
export const acquisitions = defineMetric('gateway.leases.acquisitions', {
  kind: 'counter',
  description: 'Who asked for a lease, by what came of it: acquired, taken_over from one that ran out, or refused.',
  unit: '{request}',
  labels: ['result'],
})
