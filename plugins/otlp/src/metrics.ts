import { defineMetric } from '@gateway/sdk'

/**
 * `sent`, or the reason of the loss: `full` (the queue), `failed` (the collector was not reached in time), `refused` (it rejected
 * them).
 */
export type SpanOutcome = 'sent' | 'full' | 'failed' | 'refused'

export const exportedSpans = defineMetric('gateway.otlp.spans', {
  kind: 'counter',
  description: 'Spans for the OpenTelemetry collector by outcome: sent, or dropped as full, failed or refused.',
  unit: '{span}',
  labels: ['outcome'],
})
