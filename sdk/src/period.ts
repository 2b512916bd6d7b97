import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { BadRequest } from './error.ts'

/** A period begins at `from` and ends just before `to`. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

/** Outside these years a time has no ISO form with four digits and does not sort as text. */
const [FIRST, BEFORE] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(10_000, 0, 1)]

/** Time zone at the end of a time: Z, a name such as GMT, or an offset after hours and minutes. */
const ZONE =
  /(?:Z|\b(?:UTC?|GMT|[ECMP][SD]T)(?:[+-]\d{1,2}(?::?\d{2})?)?|:\d{2}(?:[.,]\d+)?\s*[+-]\d{1,2}(?::?\d{2})?)\s*(?:\([^()]*\))?\s*$/i
const ISO_DAY = /^\s*(?:[+-]\d\d)?\d{4}(?:-\d\d){0,2}\s*$/
const ISO_TIME = /^\s*(?:[+-]\d\d)?\d{4}-\d\d-\d\dT/

/**
 * Reads a time in any form that `Date.parse` knows, in milliseconds; NaN for other texts. A time without a zone is in UTC, whatever the
 * zone of the machine.
 */
export function parseTime(text: string): number {
  if (text.length > MAX_TIME) return Number.NaN
  if (ZONE.test(text) || ISO_DAY.test(text)) return Date.parse(text)
  return Date.parse(ISO_TIME.test(text) ? `${text.trimEnd()}Z` : `${text} UTC`)
}
const MAX_TIME = 100

/** Reads a time as `parseTime` does. Throws BAD_REQUEST naming `field`. */
export function readTime(text: string, field: string): Date {
  const ms = parseTime(text)
  if (ms >= FIRST && ms < BEFORE) return new Date(ms)
  const got = text.length > 100 ? `${text.slice(0, 100)}…` : text
  throw BadRequest({ field, message: `\`${field}\` must be a time such as 2026-01-31T00:00:00Z; got ${JSON.stringify(got)}.` })
}

/** Returns the first moment of a time's month, in UTC. */
export const startOfMonth = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1))

/** Reads the period of a report: by default this month (UTC) up to now. Throws BAD_REQUEST naming `from` or `to`. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const until = to === undefined ? now : readTime(to, 'to')
  const since = from === undefined ? startOfMonth(to === undefined ? now : new Date(until.getTime() - 1)) : readTime(from, 'from')
  if (since <= until) return { from: since, to: until }
  throw BadRequest({ field: 'from', message: `\`from\` must not be after \`to\`; got ${since.toISOString()} and ${until.toISOString()}.` })
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
