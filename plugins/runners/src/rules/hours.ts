import { HOUR_MS } from '@gateway/sdk'

/** Executions that ended within ten minutes. */
export interface EndedInStep {
  readonly from: string
  readonly count: number
  readonly failed: number
}
export interface EndedInHour {
  readonly hour: string
  readonly done: number
  readonly failed: number
}

/** Sums the steps by hour, oldest first: `hours` of them, the current one included, and those without an execution too. */
export function byHour(steps: readonly EndedInStep[], hours: number, now: Date): readonly EndedInHour[] {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const first = last - (hours - 1) * HOUR_MS
  const all = Array.from({ length: hours }, (_, index) => ({ hour: new Date(first + index * HOUR_MS).toISOString(), done: 0, failed: 0 }))
  for (const { from, count, failed } of steps) {
    const hour = all[Math.floor((Date.parse(from) - first) / HOUR_MS)]
    if (!hour) continue
    hour.failed += failed
    hour.done += count - failed
  }
  return all
}
