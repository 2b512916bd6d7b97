import { BadRequest, defined } from '@gateway/sdk'
import type { DayStatus, PlanDay } from '../schema.ts'
import { addDays, dateOf, fireTime, isDate } from './calendar.ts'

const DEFAULT_HOUR_UTC = 23

/** A caller's statement about one day; omitted members keep their value, or get the default. */
export interface DayDraft {
  readonly day: number
  readonly focus?: string | undefined
  readonly status?: DayStatus | undefined
}
export interface Timing {
  readonly startDate?: string | undefined
  readonly fireHourUtc?: number | undefined
}

/**
 * The new day, from the request and the existing day. Only a request moves its time. A day that is enabled again, or moved to another
 * time, can fire again, unless that time is more than a week ago.
 */
export function writeDay(repo: string, draft: DayDraft, timing: Timing, standing: PlanDay | undefined, now: Date): PlanDay {
  const date = timing.startDate === undefined && standing ? standing.date : addDays(timing.startDate ?? dateOf(now), draft.day - 1)
  const status = draft.status ?? standing?.status ?? 'enabled'
  const fireHourUtc = timing.fireHourUtc ?? standing?.fireHourUtc ?? DEFAULT_HOUR_UTC
  const fireAt = fireTime(date, fireHourUtc)
  const isPlannedAnew = fireAt !== standing?.fireAt || (status === 'enabled' && standing.status !== 'enabled')
  const isPast = isPlannedAnew ? isPastAt(fireAt, now) : standing.past
  return {
    planDayId: planDayId(repo, draft.day),
    repo,
    day: draft.day,
    date,
    fireHourUtc,
    fireAt,
    focus: draft.focus ?? standing?.focus ?? '',
    status,
    ...(!isPlannedAnew && defined({ taskId: standing.taskId })),
    ...(isPast && { past: true }),
    createdAt: standing?.createdAt ?? now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

/** A day that comes back from the trash: a time that is more than a week ago is not made up for. */
export const restoredDay = (day: PlanDay, now: Date): PlanDay => (isPastAt(day.fireAt, now) ? { ...day, past: true } : day)

/** A plan for the present week may be written late in it; nobody waits for a day that is older. */
const LATE_MS = 7 * 86_400_000
const isPastAt = (fireAt: string, now: Date): boolean => Date.parse(fireAt) < now.getTime() - LATE_MS

/** A repo has one day per number, which the id guarantees. The number follows the last colon. */
export function planDayId(repo: string, day: number): string {
  return `${repo}:${day}`
}

/** Checks that a schema cannot express: the date exists, and no day is named twice. */
export function checkRequest(startDate: string | undefined, days: readonly DayDraft[]): void {
  if (startDate !== undefined && !isDate(startDate)) {
    throw BadRequest({ field: 'startDate', message: `\`startDate\` must be a calendar date such as 2026-03-31; got "${startDate}".` })
  }
  const seen = new Map<number, number>()
  for (const [at, { day }] of days.entries()) {
    const first = seen.get(day)
    if (first !== undefined) {
      throw BadRequest({
        field: `days[${at}].day`,
        message: `\`days[${at}].day\` must occur only once; ${day} is also in days[${first}].`,
      })
    }
    seen.set(day, at)
  }
}
