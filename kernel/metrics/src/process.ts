import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Metrics } from './metrics.ts'
import { cpuTime, heapLimit, heapUsed, loopDelayMax, loopDelayMean, loopDelayP99, loopUtilization, residentMemory, uptime } from './own.ts'

const NANOSECONDS = 1e9
/** Timer interval; a finer one would cost an idle process. */
const RESOLUTION_MS = 20

/** Metrics that Node has of the process. Nothing is measured before the first snapshot. Returns a function that ends it. */
export function measureProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let busy = performance.eventLoopUtilization()
  let cpu = { user: 0, system: 0 }
  metrics.onLook(() => {
    // Node measures the time between two timers, which is this long without any delay.
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
    const measured = delay.count > 0
    metrics.of(loopDelayMean).set(measured ? seconds(delay.mean) : 0)
    metrics.of(loopDelayP99).set(measured ? seconds(delay.percentile(99)) : 0)
    metrics.of(loopDelayMax).set(measured ? seconds(delay.max) : 0)
    delay.enable()
    delay.reset()
    const now = performance.eventLoopUtilization()
    metrics.of(loopUtilization).set(performance.eventLoopUtilization(now, busy).utilization)
    busy = now
    const heap = getHeapStatistics()
    metrics.of(heapUsed).set(heap.used_heap_size)
    metrics.of(heapLimit).set(heap.heap_size_limit)
    metrics.of(residentMemory).set(process.memoryUsage.rss())
    const used = process.cpuUsage()
    for (const mode of ['user', 'system'] as const) metrics.of(cpuTime).add((used[mode] - cpu[mode]) / 1e6, mode)
    cpu = used
    metrics.of(uptime).set(process.uptime())
  })
  return () => void delay.disable()
}
