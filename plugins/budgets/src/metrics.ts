import { defineMetric } from '@gateway/sdk'

export const spent = defineMetric('gateway.budgets.spent', {
  kind: 'counter',
  description: 'Cost of model calls, of all tenants.',
  unit: 'USD',
  labels: ['provider'],
})
export const refused = defineMetric('gateway.budgets.refused', {
  kind: 'counter',
  description: 'Calls of models that a cap has refused.',
  unit: '{call}',
})
