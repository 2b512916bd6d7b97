/** A last row further ahead than this was written while the clock was wrong; a burst of rows is not that far ahead. */
const CLOCK_WAS_WRONG_MS = 60_000

/** Time of the next row: now, or the millisecond after the last one. */
export function nextTime(nowMs: number, lastMs: number | undefined): number {
  if (lastMs === undefined || lastMs < nowMs || lastMs - nowMs > CLOCK_WAS_WRONG_MS) return nowMs
  return lastMs + 1
}
