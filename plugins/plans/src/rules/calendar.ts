import { outsideWorkingHours } from './sydney-window.ts'

const DAY_MS = 86_400_000

/** `YYYY-MM-DD` so many days later. */
export function addDays(date: string, days: number): string {
  return dateOf(new Date(Date.parse(date) + days * DAY_MS))
}

/** The date a time has in UTC. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Whether there is such a day: `2026-02-30` has the form of one and is none. */
export function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time.getTime()) && dateOf(time) === text
}

/** When the day of a plan fires: at the hour that was asked for, or at the end of the working hours it falls into. */
export function fireTime(date: string, hourUtc: number): string {
  return outsideWorkingHours(new Date(Date.parse(date) + hourUtc * 3_600_000)).toISOString()
}
