import { Cron } from 'croner'
import { BoundedMap } from './bounds/bounded-map.ts'
import { BadRequest } from './error.ts'

/** When a cron expression fires: whole minutes, in UTC. */
export interface CronTimes {
  /** The first fire after a time. */
  next(after: Date): Date
  /** The first `count` fires after a time. */
  upcoming(after: Date, count: number): readonly Date[]
}

const fields = [
  { name: 'minute', takes: '0 to 59' },
  { name: 'hour', takes: '0 to 23' },
  { name: 'day of month', takes: '1 to 31' },
  { name: 'month', takes: '1 to 12 or JAN to DEC' },
  { name: 'day of week', takes: '0 to 7 or SUN to SAT' },
] as const

/** Two clocks of one fleet differ by less. */
const TOLERANCE_MS = 60_000

/**
 * The time a stored next fire is to be put to, when it is later than the expression can mean: it was counted by a clock that was
 * ahead and has been set back, and nothing would fire until then.
 */
export function putBack(expression: string, stored: string, now: Date): string | undefined {
  const times = cronTimes(expression)
  const latest = times.next(new Date(now.getTime() + TOLERANCE_MS))
  return Date.parse(stored) > latest.getTime() ? times.next(now).toISOString() : undefined
}

/** Reading an expression costs five times what asking it for a time does, and those that run are asked again and again. */
const MAX_KNOWN = 1_000
const known = new BoundedMap<string, CronTimes>(MAX_KNOWN)

/**
 * Read a cron expression of five fields; where day of month and day of week are both given, either is enough. Throws
 * BAD_REQUEST that names the argument, the field of the expression that is wrong, and what came; also for an expression
 * that never fires, as on February 31.
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
    // An offset of zero is UTC as the time zone is, at a fifth of its price.
    return new Cron(expression, { mode: '5-part', utcOffset: 0, domAndDow: false, paused: true })
  } catch {
    return undefined
  }
}
