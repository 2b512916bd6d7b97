import { defineMetric } from '@gateway/sdk'

export const byStatus = defineMetric('gateway.swarms.by_status', {
  kind: 'gauge',
  description: 'Swarms of all tenants by status; of one tenant at most 10,000 of a status are counted.',
  unit: '{swarm}',
  labels: ['status'],
})
