import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { exportSpans } from './contributions/call-observer.ts'
import { spansTold } from './metrics.ts'

/**
 * Calls as spans for a collector of OpenTelemetry. Nothing happens until an endpoint is set. A call’s span:
 *
 * 1. noted when the call has ended, unless its trace is not sampled: the ids, names and times, nothing of its arguments or result;
 * 2. kept in a queue with a bound: when that is full, it is dropped and counted, and the call knows nothing of it;
 * 3. sent with others, one batch at a time; what the collector cannot take now is tried again, and at last dropped and counted;
 * 4. at a stop, sent with all that wait, within a few seconds.
 */
export default definePlugin({
  id: 'otlp',
  sdk: '^1.0.0',
  description: 'Calls as spans, sent to an OpenTelemetry collector over OTLP/HTTP.',
  config,
  metrics: [spansTold],
  contributes: [exportSpans],
})
