import { defineMetric } from '@gateway/sdk'

export const machinesByState = defineMetric('gateway.runners.machines', {
  kind: 'gauge',
  description: 'Runner machines of all tenants by state: alive, or down after 25 minutes of silence.',
  unit: '{machine}',
  labels: ['state'],
})
export const executionsEnded = defineMetric('gateway.runners.executions', {
  kind: 'counter',
  description: 'Executions of tasks that ended, by lane and result: finished, or failed.',
  unit: '{execution}',
  labels: ['lane', 'result'],
})
