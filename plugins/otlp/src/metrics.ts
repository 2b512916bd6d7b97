import { defineMetric } from '@gateway/sdk'

/**
 * `sent`, or the reason: `full` (the queue), `failed` (the collector did not take them in time), `refused` (it did not want
 * them).
 */
export type Told = 'sent' | 'full' | 'failed' | 'refused'

export const spansTold = defineMetric('gateway.otlp.spans', {
  kind: 'counter',
  description: 'Spans for the OpenTelemetry collector by outcome: sent, or dropped as full, failed or refused.',
  unit: '{span}',
  labels: ['outcome'],
})
