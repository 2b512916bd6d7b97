import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Share of a quota that is used, in percent, and its reset (ISO 8601) if it was told. */
export interface UsedWindow {
  readonly usedPct: number
  readonly resetsAt?: string
}

/** Quotas of an account as its host shows them at a time (ISO 8601). At least one window is present. */
export interface Windows {
  readonly at: string
  readonly fiveHour?: UsedWindow
  readonly weekly?: UsedWindow
}

const HOUR_MS = 3_600_000
const FIVE_HOURS = { ms: 5 * HOUR_MS, minutes: [270, 330] } as const
const WEEK = { ms: 7 * 24 * HOUR_MS, minutes: [9_000, 11_000] } as const
/** Clocks differ a little. */
const SLACK_MS = HOUR_MS
/** The last figures of a conversation stand near its end. */
const TAIL_BYTES = 512 * 1_024

/** The windows in the status that Claude Code gives to its status line: `rate_limits`, with resets in seconds since 1970. */
export function windowsOfStatus(rateLimits: unknown, now: Date): Windows | undefined {
  const { five_hour: fiveHour, seven_day: weekly } = record(rateLimits)
  return windows(now, windowOf(fiveHour, 'used_percentage', FIVE_HOURS.ms, now), windowOf(weekly, 'used_percentage', WEEK.ms, now))
}

/** The last windows in a conversation of Codex, a file of JSON lines: `token_count` events name each window by its length. */
export function windowsOfConversation(path: string, now: Date): Windows | undefined {
  const lines = tailOf(path)
    .split('\n')
    .filter((line) => line.includes('"token_count"') && line.includes('"rate_limits"'))
  for (const line of lines.reverse()) {
    const { timestamp, payload } = parsed(line)
    const at = new Date(String(timestamp))
    const { primary, secondary } = record(record(payload).rate_limits)
    if (Number.isNaN(at.getTime())) continue
    const ofLength = ({ ms, minutes: [from, to] }: typeof FIVE_HOURS | typeof WEEK): UsedWindow | undefined => {
      const found = [primary, secondary].find((one) => {
        const { window_minutes: minutes } = record(one)
        return typeof minutes === 'number' && minutes >= from && minutes <= to
      })
      // A window that has ended since says nothing of the present one.
      return windowOf(found, 'used_percent', ms, at, now)
    }
    const found = windows(at, ofLength(FIVE_HOURS), ofLength(WEEK))
    if (found) return found
  }
  return undefined
}

/** A line for people, such as `5 h 23% · week 41%`. */
export const shown = ({ fiveHour, weekly }: Windows): string =>
  [fiveHour && `5 h ${Math.round(fiveHour.usedPct)}%`, weekly && `week ${Math.round(weekly.usedPct)}%`].filter(Boolean).join(' · ')

function windows(at: Date, fiveHour: UsedWindow | undefined, weekly: UsedWindow | undefined): Windows | undefined {
  if (!fiveHour && !weekly) return undefined
  return { at: at.toISOString(), ...(fiveHour && { fiveHour }), ...(weekly && { weekly }) }
}

function windowOf(told: unknown, member: string, lengthMs: number, at: Date, now = at): UsedWindow | undefined {
  const { [member]: pct, resets_at: seconds } = record(told)
  if (typeof pct !== 'number' || !(pct >= 0) || pct > 1_000) return undefined
  const resets = typeof seconds === 'number' ? seconds * 1_000 : undefined
  if (resets === undefined) return { usedPct: pct }
  if (!(resets > now.getTime())) return undefined
  return resets > at.getTime() + lengthMs + SLACK_MS ? { usedPct: pct } : { usedPct: pct, resetsAt: new Date(resets).toISOString() }
}

function tailOf(path: string): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, size - bytes.length)).toString('utf8')
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function parsed(line: string): Record<string, unknown> {
  try {
    return record(JSON.parse(line))
  } catch {
    return {}
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
