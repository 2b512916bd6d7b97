import { BadRequest } from '@gateway/sdk'

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
/** A time zone can shift a time into that year; its text would sort before now. */
const YEAR_10000 = Date.UTC(10_000, 0)

/** The time at which claims resume automatically, by the store's clock. */
export interface Resumption {
  /** ISO 8601. */
  readonly resumeAt?: string | undefined
  readonly resumeInSeconds?: number | undefined
}

/** Returns when claims resume, from the caller's arguments; without any they do not resume automatically. */
export function resumption(
  { resumeAt, resumeInMinutes }: { resumeAt?: string | undefined; resumeInMinutes?: number | undefined },
  now: Date,
): Resumption {
  if (resumeAt !== undefined && resumeInMinutes !== undefined) {
    throw BadRequest({ field: 'resumeInMinutes', message: '`resumeInMinutes` and `resumeAt` exclude each other; got both.' })
  }
  if (resumeInMinutes !== undefined) return { resumeInSeconds: resumeInMinutes * 60 }
  if (resumeAt === undefined) return {}
  const time = ISO_8601.test(resumeAt) && isDay(resumeAt.slice(0, 10)) ? Date.parse(resumeAt) : Number.NaN
  if (Number.isNaN(time) || time >= YEAR_10000) refuse('must be a time in ISO 8601 with its zone, as 2026-01-05T18:00:00Z', resumeAt)
  if (time <= now.getTime()) refuse(`must be later than now, ${now.toISOString()}`, resumeAt)
  return { resumeAt: new Date(time).toISOString() }
}

/** `Date` takes February 30 for March 2. */
function isDay(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
}

function refuse(expected: string, got: string): never {
  throw BadRequest({ field: 'resumeAt', message: `\`resumeAt\` ${expected}; got ${JSON.stringify(got)}.` })
}
