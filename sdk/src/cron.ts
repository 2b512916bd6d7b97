import { Cron } from 'croner'
import { BoundedMap } from './bounds/bounded-map.ts'
import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { BadRequest } from './error.ts'

/** Fire times of a cron expression: whole minutes, in UTC. */
export interface CronTimes {
  /** Returns the first fire time after a time. */
  next(after: Date): Date
  /** Returns the first `count` fire times after a time. */
  upcoming(after: Date, count: number): readonly Date[]
}

const fields = [
  { name: 'minute', takes: '0 to 59' },
  { name: 'hour', takes: '0 to 23' },
  { name: 'day of month', takes: '1 to 31' },
  { name: 'month', takes: '1 to 12 or JAN to DEC' },
  { name: 'day of week', takes: '0 to 7 or SUN to SAT' },
] as const

/**
 * Returns a corrected time for a stored next fire that is later than the expression allows. A clock that ran ahead and was set
 * back had computed it, and nothing would fire until then.
 */
export function putBack(expression: string, stored: string, now: Date): string | undefined {
  const times = cronTimes(expression)
  const latest = times.next(new Date(now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000))
  return Date.parse(stored) > latest.getTime() ? times.next(now).toISOString() : undefined
}

/** Capacity of the cache of parsed expressions: parsing costs five times as much as computing a fire time. */
const MAX_KNOWN = 1_000
const known = new BoundedMap<string, CronTimes>(MAX_KNOWN)

/**
 * Parses a cron expression of five fields. If both day of month and day of week are given, either is enough. Throws BAD_REQUEST
 * that names the argument, the faulty field of the expression and the value; also for an expression that never fires, such as
 * February 31.
 */
export function cronTimes(expression: string, argument = 'cronExpr'): CronTimes {
  let times = known.get(expression)
  if (!times) {
    times = read(expression, argument)
    known.set(expression, times)
  }
  return times
}

function read(expression: string, argument: string): CronTimes {
  const refused = (message: string) => BadRequest({ field: argument, message: `\`${argument}\` ${message}` })
  const parts = expression.trim().split(/\s+/)
  if (parts.length !== fields.length) {
    const names = fields.map(({ name }) => name).join(', ')
    throw refused(`must have five fields (${names}); got ${JSON.stringify(expression)}.`)
  }
  fields.forEach(({ name, takes }, i) => {
    const alone = fields.map((_, j) => (i === j ? parts[i] : '*')).join(' ')
    if (parse(alone) === undefined) {
      throw refused(`has a wrong ${name}: expected ${takes}, with \`*\`, lists, ranges and steps; got ${JSON.stringify(parts[i])}.`)
    }
  })
  const cron = parse(parts.join(' '))
  if (!cron?.nextRun(new Date(0))) throw refused(`never fires: no day meets ${JSON.stringify(expression)}.`)
  return {
    next(after) {
      const next = cron.nextRun(after)
      if (!next) throw new Error(`${expression} does not fire after ${after.toISOString()}`)
      return next
    },
    upcoming: (after, count) => cron.nextRuns(count, after),
  }
}

function parse(expression: string): Cron | undefined {
  try {
    // An offset of zero equals the UTC time zone at a fifth of the cost.
    return new Cron(expression, { mode: '5-part', utcOffset: 0, domAndDow: false, paused: true })
  } catch {
    return undefined
  }
}
