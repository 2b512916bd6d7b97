import { DAY_MS } from '@gateway/sdk'
import { outsideWorkingHours } from './sydney-window.ts'

/** `YYYY-MM-DD` plus a number of days. */
export function addDays(date: string, days: number): string {
  return dateOf(new Date(Date.parse(date) + days * DAY_MS))
}

/** The date of a time in UTC. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** True if the date exists: `2026-02-30` has the form of one but does not. */
export function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time.getTime()) && dateOf(time) === text
}

/** Fire time of a plan day: the requested hour, or the end of the working hours that it falls into. */
export function fireTime(date: string, hourUtc: number): string {
  return outsideWorkingHours(new Date(Date.parse(date) + hourUtc * 3_600_000)).toISOString()
}
