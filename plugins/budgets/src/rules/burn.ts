import { DAY_MS } from '@gateway/sdk'
import { usdOf } from './money.ts'

/** Days whose average is carried on. */
const RECENT_DAYS = 7

export interface BurnDay {
  readonly day: string
  /** Spent in the month until the end of that day; absent in the future. */
  readonly spentUsd?: number
  /** Spending until then if it goes on as in the last days; absent in the past. */
  readonly forecastUsd?: number
}

/**
 * The spending of a month, day by day, and its forecast. `nanosOf` has the days with spending, by `YYYY-MM-DD`. The current day counts as
 * far as it has come.
 */
export function burnOf(
  nanosOf: ReadonlyMap<string, number>,
  now: Date,
): { readonly days: readonly BurnDay[]; readonly forecastUsd: number } {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  const elapsed = (now.getTime() - first) / DAY_MS
  const all = Array.from({ length: Math.round((end - first) / DAY_MS) }, (_, index) => dayOf(first + index * DAY_MS))
  const today = Math.floor(elapsed)
  const recent = all.slice(Math.max(0, today - RECENT_DAYS + 1), today + 1)
  const span = Math.min(elapsed, RECENT_DAYS - 1 + (elapsed - today))
  const perDay = span > 0 ? recent.reduce((sum, day) => sum + (nanosOf.get(day) ?? 0), 0) / span : 0
  let spent = 0
  const days = all.map((day, index): BurnDay => {
    if (index <= today) spent += nanosOf.get(day) ?? 0
    const future = spent + perDay * (index + 1 - elapsed)
    return {
      day,
      ...(index <= today && { spentUsd: usdOf(Math.round(spent)) }),
      ...(index >= today && { forecastUsd: usdOf(Math.round(index === today ? spent : future)) }),
    }
  })
  return { days, forecastUsd: days.at(-1)?.forecastUsd ?? 0 }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
