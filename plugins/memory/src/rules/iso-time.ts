import { parseTime } from '@gateway/sdk'

/** A time in ISO 8601, in any zone, as UTC with milliseconds; undefined for anything else. */
export function isoTime(text: string): string | undefined {
  const ms = parseTime(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
