import type { Metrics } from '@gateway/metrics'
import { defineMetric } from '@gateway/sdk'

const records = defineMetric('gateway.audit.records', {
  kind: 'counter',
  description: 'Records given to the audit trail.',
  unit: '{record}',
})
const lag = defineMetric('gateway.audit.lag', {
  kind: 'gauge',
  description: 'Age of the oldest record that is not yet synced to the disk; 0 when all are.',
  unit: 's',
})
const owing = defineMetric('gateway.audit.owing', {
  kind: 'gauge',
  description: 'Tenants whose trail could not be written: their changes are refused until it is.',
  unit: '{tenant}',
})

/** Counts records; `look` reports the backlog, in milliseconds and in trails. */
export function auditMeter(metrics: Metrics, look: () => { readonly lagMs: number; readonly owing: number }): (count: number) => void {
  const counted = metrics.of(records)
  metrics.onLook(() => {
    const found = look()
    metrics.of(lag).set(found.lagMs / 1_000)
    metrics.of(owing).set(found.owing)
  })
  return (count) => counted.add(count)
}
