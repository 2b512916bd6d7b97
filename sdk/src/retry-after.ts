/** An HTTP date (RFC 9110), or an ISO 8601 time with a zone. `Date.parse` alone would read years into any text with a number. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8},? (?:\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/
/** The form of asctime has no zone, and means GMT. */
const WITHOUT_ZONE = /\d{4}$/

/**
 * Reads the header Retry-After: the milliseconds to wait from `now` (milliseconds since 1970), at most `maxMs`, or undefined where the
 * header is absent or is neither seconds nor a date. A date in the past is 0. The first of several values counts.
 */
export function readRetryAfter(header: string | readonly string[] | undefined, now: number, maxMs = 3_600_000): number | undefined {
  const value = (typeof header === 'string' ? header : header?.[0])?.trim()
  if (value === undefined) return undefined
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1_000 : dateOf(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxMs)
}

function dateOf(value: string): number {
  if (ISO_TIME.test(value)) return Date.parse(value)
  if (!HTTP_DATE.test(value)) return Number.NaN
  return Date.parse(WITHOUT_ZONE.test(value) && !/[+-]\d{4}$/.test(value) ? `${value} GMT` : value)
}
