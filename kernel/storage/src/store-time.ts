import type { StoreTime } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

export function isStoreTime(value: unknown): value is StoreTime {
  return typeof value === 'object' && value !== null && typeof (value as { $now?: unknown }).$now === 'number'
}

export function resolveTime(value: unknown, nowMs: number): unknown {
  return isStoreTime(value) ? isoText(nowMs + value.$now) : value
}

/** Formatting a date costs 2 µs, and the writes of one millisecond need the same few. */
const MAX_TEXTS = 64
const texts = new BoundedMap<number, string>(MAX_TEXTS)

function isoText(ms: number): string {
  let text = texts.get(ms)
  if (text === undefined) {
    text = new Date(ms).toISOString()
    texts.set(ms, text)
  }
  return text
}
