import { HOUR_MS } from '@gateway/sdk'

/** Hours of the Sydney clock in which people work with the agents and no plan fires: from the first, up to the second. */
const OPENS = 9
const CLOSES = 18

const WEEKEND = ['Sat', 'Sun']

/** Created on demand: creating one costs more than a thousand uses. */
let sydney: Intl.DateTimeFormat | undefined
const sydneyClock = (): Intl.DateTimeFormat =>
  (sydney ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'Australia/Sydney',
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }))

/**
 * The time itself, unless it falls into the working hours of a weekday in Sydney: then their end, on the same day there. The
 * clock is changed there at night, never within these hours, so the end is as far away as the clock says.
 */
export function outsideWorkingHours(time: Date): Date {
  const { weekday, msOfDay } = inSydney(time)
  const working = !WEEKEND.includes(weekday) && msOfDay >= OPENS * HOUR_MS && msOfDay < CLOSES * HOUR_MS
  return working ? new Date(time.getTime() + CLOSES * HOUR_MS - msOfDay) : time
}

/** True if nobody works with the agents at this time, so that they act on their own. */
export const isOffHours = (time: Date): boolean => outsideWorkingHours(time).getTime() === time.getTime()

function inSydney(time: Date): { weekday: string; msOfDay: number } {
  const parts = Object.fromEntries(
    sydneyClock()
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const seconds = Number(parts.hour) * 3_600 + Number(parts.minute) * 60 + Number(parts.second)
  // Zones differ by whole seconds, so the milliseconds are the same everywhere.
  return { weekday: parts.weekday ?? '', msOfDay: seconds * 1_000 + time.getUTCMilliseconds() }
}
