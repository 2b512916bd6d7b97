import type { HealthFinding } from '@gateway/sdk'

/** A loop this late keeps every caller waiting. */
const LATE_MS = 1_000
/** Share of the heap limit: from here on the process spends its time collecting garbage and is about to end. */
const FULL = 0.95

/** State of the process, from a timer's delay and the heap's fill level. */
export function processFinding(lateMs: number, heapUsedBytes: number, heapLimitBytes: number): HealthFinding {
  const figures = { eventLoopLateMs: Math.round(lateMs), heapUsedPercent: Math.round((heapUsedBytes / heapLimitBytes) * 100) }
  if (lateMs >= LATE_MS) return { status: 'degraded', ...figures, error: `timers are ${Math.round(lateMs)} ms late` }
  if (heapUsedBytes >= heapLimitBytes * FULL) return { status: 'degraded', ...figures, error: 'the heap is nearly full' }
  return { status: 'healthy', ...figures }
}
