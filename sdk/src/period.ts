import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { DAY_MS } from './durations.ts'
import { BadRequest } from './error.ts'

/** A period begins at `from` and ends just before `to`. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

/** Outside these years a time has no ISO form with four digits and does not sort as text. */
const [FIRST, BEFORE] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(10_000, 0, 1)]

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)? ?(?:[Zz]|([+-])(\d{2})(?::?([0-5]\d))?)?)?$/
/** The farthest zone from UTC, that of the Line Islands. */
const MAX_OFFSET_MINUTES = 14 * 60
const MAX_TIME = 100

/**
 * Reads a date or a time in ISO 8601, in milliseconds; NaN for other texts, and for times that no calendar or zone has, such as 30 February.
 * A time without a zone is in UTC, and a date is its first moment there.
 */
export function parseTime(text: string): number {
  const found = text.length <= MAX_TIME ? ISO.exec(text.trim()) : null
  if (!found) return Number.NaN
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', sign, hours = '0', minutes = '0'] = found
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const ms = Date.parse(local)
  const offset = Number(hours) * 60 + Number(minutes)
  if (offset > MAX_OFFSET_MINUTES || Number.isNaN(ms) || new Date(ms).toISOString() !== local) return Number.NaN
  const utc = ms - (sign === '-' ? -offset : offset) * 60_000
  return utc >= FIRST && utc < BEFORE ? utc : Number.NaN
}

/** Reads a time as `parseTime` does. Throws BAD_REQUEST naming `field`. */
export function readTime(text: string, field: string): Date {
  const ms = parseTime(text)
  if (!Number.isNaN(ms)) return new Date(ms)
  const got = text.length > MAX_TIME ? `${text.slice(0, MAX_TIME)}…` : text
  throw BadRequest({
    field,
    message: `\`${field}\` must be a date or a time in ISO 8601, such as 2026-01-31T00:00:00Z; got ${JSON.stringify(got)}.`,
  })
}

/** Returns the first moment of a time's month, in UTC. */
export const startOfMonth = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1))

/**
 * The last days as ranges of ISO times for filters, oldest first. Each is 24 hours long, and the last one, which ends now, has no upper
 * bound.
 */
export function lastDays(now: Date, days: number): readonly { readonly gte: string; readonly lt?: string }[] {
  const ago = (count: number): string => new Date(now.getTime() - count * DAY_MS).toISOString()
  return Array.from({ length: days }, (_, index) => {
    const end = days - 1 - index
    return { gte: ago(end + 1), ...(end > 0 && { lt: ago(end) }) }
  })
}

/** Reads the period of a report: by default this month (UTC) up to now. Throws BAD_REQUEST naming `from` or `to`. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const until = to === undefined ? now : readTime(to, 'to')
  const since = from === undefined ? startOfMonth(to === undefined ? now : new Date(until.getTime() - 1)) : readTime(from, 'from')
  checkOrder({ from: since, to: until })
  return { from: since, to: until }
}

/** Throws BAD_REQUEST, naming the first of the two arguments, for a time that is after the second; either may be absent. */
export function checkOrder(times: Readonly<Record<string, Date | undefined>>): void {
  const [first, second] = Object.entries(times)
  const [from, to] = [first?.[1], second?.[1]]
  if (!first || !second || from === undefined || to === undefined || from <= to) return
  const got = `got ${from.toISOString()} and ${to.toISOString()}`
  throw BadRequest({ field: first[0], message: `\`${first[0]}\` must not be after \`${second[0]}\`; ${got}.` })
}

/** A period as its whole steps (days, for example) and the parts before and after them; together exactly the period. */
export interface SplitPeriod {
  readonly whole: Period | undefined
  readonly edges: readonly Period[]
}

/** Splits a period so that sums kept for each step answer for the whole steps, and only the edges are counted. */
export function splitPeriod({ from, to }: Period, stepMs: number): SplitPeriod {
  const first = new Date(Math.ceil(from.getTime() / stepMs) * stepMs)
  const last = new Date(Math.floor(to.getTime() / stepMs) * stepMs)
  if (first >= last) return { whole: undefined, edges: [period(from, to)].filter(isSome) }
  return { whole: period(first, last), edges: [period(from, first), period(last, to)].filter(isSome) }
}

const period = (from: Date, to: Date): Period => ({ from, to })
const isSome = ({ from, to }: Period): boolean => from < to

/**
 * True if a recorded time lies in the future: the clock that wrote it was ahead and has been set back. A lease that was
 * extended at such a time would last too long by the same amount.
 */
export const isFutureTimestamp = (writtenAt: string, now: Date): boolean =>
  Date.parse(writtenAt) > now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000
