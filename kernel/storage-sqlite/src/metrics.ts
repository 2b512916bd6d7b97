import type { Metrics } from '@gateway/metrics'
import { defineMetric } from '@gateway/sdk'

const commits = defineMetric('gateway.store.commits', {
  kind: 'counter',
  description: 'Groups of writes that were committed and synced to the disk together.',
  unit: '{commit}',
})
const writes = defineMetric('gateway.store.writes', {
  kind: 'counter',
  description: 'Writes and transactions that were acknowledged.',
  unit: '{write}',
})
const commitDuration = defineMetric('gateway.store.sync.duration', {
  kind: 'histogram',
  description: 'Duration of the sync to the disk that ends a commit.',
  unit: 's',
})
const logSize = defineMetric('gateway.store.log.size', {
  kind: 'gauge',
  description: 'Size of the write-ahead log, which grows until a checkpoint moves it into the database.',
  unit: 'By',
})
const fileSize = defineMetric('gateway.store.file.size', {
  kind: 'gauge',
  description: 'Size of the database without its log.',
  unit: 'By',
})
const writable = defineMetric('gateway.store.writable', {
  kind: 'gauge',
  description: '1 while the store accepts writes, 0 while it refuses them.',
  unit: '{store}',
})

export interface CommitMeter {
  committed(writes: number, syncMs: number): void
}

/** `look` reports the store's state before metrics are read, because it asks the file system. */
export function storeMeter(metrics: Metrics, look: () => { logBytes: number; fileBytes: number; writable: boolean }): CommitMeter {
  const [counted, written, took] = [metrics.of(commits), metrics.of(writes), metrics.of(commitDuration)]
  metrics.onLook(() => {
    const found = look()
    metrics.of(logSize).set(found.logBytes)
    metrics.of(fileSize).set(found.fileBytes)
    metrics.of(writable).set(found.writable ? 1 : 0)
  })
  return {
    committed(writes, syncMs) {
      counted.add(1)
      written.add(writes)
      took.observe(syncMs / 1_000)
    },
  }
}
