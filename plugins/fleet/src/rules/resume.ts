import { BadRequest, parseTime } from '@gateway/sdk'

const WITH_ZONE = /T.*(Z|[+-]\d\d:\d\d)$/

/** The time at which claims resume automatically, by the store's clock. */
export interface Resumption {
  /** ISO 8601. */
  readonly resumeAt?: string | undefined
  readonly resumeInSeconds?: number | undefined
}

interface Asked {
  readonly resumeAt?: string | undefined
  readonly resumeInMinutes?: number | undefined
}

/** Throws BAD_REQUEST for both ways to say when. */
export function checkResumption({ resumeAt, resumeInMinutes }: Asked): void {
  if (resumeAt !== undefined && resumeInMinutes !== undefined) {
    throw BadRequest({ field: 'resumeInMinutes', message: '`resumeInMinutes` and `resumeAt` exclude each other; got both.' })
  }
}

/** Returns when claims resume, from the caller's arguments; without any they do not resume automatically. */
export function resumption({ resumeAt, resumeInMinutes }: Asked, now: Date): Resumption {
  if (resumeInMinutes !== undefined) return { resumeInSeconds: resumeInMinutes * 60 }
  if (resumeAt === undefined) return {}
  const time = WITH_ZONE.test(resumeAt) ? parseTime(resumeAt) : Number.NaN
  if (Number.isNaN(time)) refuse('must be a time in ISO 8601 with its zone, as 2026-01-05T18:00:00Z', resumeAt)
  if (time <= now.getTime()) refuse(`must be later than now, ${now.toISOString()}`, resumeAt)
  return { resumeAt: new Date(time).toISOString() }
}

function refuse(expected: string, got: string): never {
  throw BadRequest({ field: 'resumeAt', message: `\`resumeAt\` ${expected}; got ${JSON.stringify(got)}.` })
}
