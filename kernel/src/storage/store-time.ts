import type { StoreTime } from '@gateway/sdk'

export function isStoreTime(value: unknown): value is StoreTime {
  return typeof value === 'object' && value !== null && typeof (value as { $now?: unknown }).$now === 'number'
}

/** The value itself, or the time a marker stands for at `nowMs`. */
export function resolveTime(value: unknown, nowMs: number): unknown {
  return isStoreTime(value) ? new Date(nowMs + value.$now).toISOString() : value
}
