import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { exportSpans } from './contributions/call-observer.ts'
import { exportedSpans } from './metrics.ts'

/**
 * Calls as spans for an OpenTelemetry collector. Nothing happens until an endpoint is set. Life of a span:
 *
 * 1. Recorded when the call has ended, unless its trace is not sampled: ids, names and times, nothing of its arguments or result.
 * 2. Kept in a bounded queue: if that is full, it is dropped and counted, and the call is not affected.
 * 3. Sent with others, one batch at a time; spans that the collector cannot take now are retried, and at last dropped and
 *    counted.
 * 4. At a stop, sent with all that wait, within a few seconds.
 */
export default definePlugin({
  id: 'otlp',
  sdk: '^1.0.0',
  description: 'Sends calls as spans to an OpenTelemetry collector over OTLP/HTTP.',
  config,
  metrics: [exportedSpans],
  contributes: [exportSpans],
})
