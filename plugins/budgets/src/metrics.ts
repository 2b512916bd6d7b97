import { defineMetric } from '@gateway/sdk'

export const spent = defineMetric('gateway.budgets.spent', {
  kind: 'counter',
  description: 'Cost of model calls, all tenants.',
  unit: 'USD',
  labels: ['provider'],
})
export const refused = defineMetric('gateway.budgets.refused', {
  kind: 'counter',
  description: 'Model calls refused by a cap.',
  unit: '{call}',
})
