interface HourRow {
  readonly time: Date
  readonly counts: readonly number[]
}

interface Heat {
  /** The newest day first; an hour without a row is empty. */
  readonly days: readonly { readonly day: Date; readonly hours: readonly (readonly number[] | undefined)[] }[]
  /** The largest sum of an hour. */
  readonly most: number
}

/** Rows of hours as days of 24 hours, in the zone of the reader. */
export function heatOf(rows: readonly HourRow[]): Heat {
  const days = new Map<number, (readonly number[] | undefined)[]>()
  for (const { time, counts } of rows) {
    const day = new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
    const hours = days.get(day) ?? Array.from({ length: 24 }, () => undefined)
    // Two hours of a day have the same name when clocks are set back.
    const before = hours[time.getHours()]
    hours[time.getHours()] = before ? counts.map((count, index) => count + (before[index] ?? 0)) : counts
    days.set(day, hours)
  }
  const most = Math.max(1, ...rows.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)))
  const sorted = [...days].sort(([a], [b]) => b - a)
  return { days: sorted.map(([day, hours]) => ({ day: new Date(day), hours })), most }
}
