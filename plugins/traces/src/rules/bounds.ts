import { cutText, repairText } from '@gateway/sdk'

/** More than any id of the gateway has; many traces fit into one list. */
const MAX_TASK_ID = 500
/** Times that `Date` knows. */
const LAST_MS = 8_640_000_000_000_000

/** The id of a trace as it is stored: a longer one is cut, so that its spans and its reader agree. */
export const storableTaskId = (taskId: string): string => cutText(repairText(taskId), MAX_TASK_ID)

interface Times {
  readonly startMs?: number | undefined
  readonly endMs?: number | undefined
}

/** Times that a span can have: one outside the calendar is left out, and so is an end before the start. */
export function possibleTimes({ startMs, endMs }: Times): Times {
  const start = onCalendar(startMs)
  const end = onCalendar(endMs)
  return { startMs: start, endMs: start !== undefined && end !== undefined && end < start ? undefined : end }
}

const onCalendar = (ms: number | undefined): number | undefined => (ms !== undefined && Math.abs(ms) <= LAST_MS ? ms : undefined)
