import { DAY_MS } from '@gateway/sdk'

/** The month of a time, or its ISO 8601 week, in UTC: `2026-01`, `2026-W02`. */
export function cohortOf(at: string, by: 'month' | 'week'): string {
  if (by === 'month') return at.slice(0, 7)
  const day = new Date(`${at.slice(0, 10)}T00:00:00.000Z`)
  // A week belongs to the year of its Thursday.
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY_MS)
  const firstOfYear = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - firstOfYear) / (7 * DAY_MS)) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}
