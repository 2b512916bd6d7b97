import { defineMetric } from '@gateway/sdk'

export const byStatus = defineMetric('gateway.tasks.by_status', {
  kind: 'gauge',
  description: 'Tasks of all tenants by status; of one tenant at most 10,000 of a status are counted.',
  unit: '{task}',
  labels: ['status'],
})
export const oldestReady = defineMetric('gateway.tasks.oldest_ready', {
  kind: 'gauge',
  description: 'Age of the oldest claimable task, over all tenants; 0 when no task is claimable.',
  unit: 's',
})
export const claims = defineMetric('gateway.tasks.claims', {
  kind: 'counter',
  description: 'Claims by whether there was a task to take: claimed, or empty.',
  unit: '{claim}',
  labels: ['result'],
})
export const retries = defineMetric('gateway.tasks.retries', {
  kind: 'counter',
  description: 'Tasks that failed, or whose lease ran out, and will be tried again.',
  unit: '{task}',
})
export const deadLetters = defineMetric('gateway.tasks.dead_letters', {
  kind: 'counter',
  description: 'Tasks that used up their retries and wait for a person.',
  unit: '{task}',
})
