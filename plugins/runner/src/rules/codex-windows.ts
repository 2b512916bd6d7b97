import { HOUR_MS } from '@gateway/sdk'
import type { UsedWindow, Windows } from './adapter.ts'

/** Lengths of the windows in minutes, as the program tells them; it may round. */
const FIVE_HOURS = { from: 270, to: 330, ms: 5 * HOUR_MS } as const
const WEEK = { from: 9_000, to: 11_000, ms: 7 * 24 * HOUR_MS } as const
/** Clocks differ a little. */
const SLACK_MS = HOUR_MS

type Told = Readonly<Record<string, unknown>>

/** The last windows in a conversation of Codex, in JSON lines: `token_count` events name each window by its length. */
export function windowsOfConversation(text: string): Windows | undefined {
  const lines = text.split('\n').filter((line) => line.includes('"token_count"') && line.includes('"rate_limits"'))
  for (const line of lines.reverse()) {
    const { timestamp, payload } = parsed(line)
    const { primary, secondary } = record(record(payload).rate_limits)
    const at = Date.parse(String(timestamp))
    const told = [record(primary), record(secondary)]
    const [fiveHour, weekly] = [windowOf(told, FIVE_HOURS, at), windowOf(told, WEEK, at)]
    if (fiveHour || weekly) return { ...(fiveHour && { fiveHour }), ...(weekly && { weekly }) }
  }
  return undefined
}

function windowOf(told: readonly Told[], { from, to, ms }: typeof FIVE_HOURS | typeof WEEK, at: number): UsedWindow | undefined {
  const found = told.find(({ window_minutes: minutes }) => typeof minutes === 'number' && minutes >= from && minutes <= to)
  const { used_percent: usedPct, resets_at: seconds } = found ?? {}
  if (typeof usedPct !== 'number' || !(usedPct >= 0) || usedPct > 1_000) return undefined
  const resetsAt = typeof seconds === 'number' ? seconds * 1_000 : Number.NaN
  // A reset that lies further away than its window is long was not meant.
  return resetsAt > at && resetsAt <= at + ms + SLACK_MS ? { usedPct, resetsAt } : { usedPct }
}

function parsed(line: string): Told {
  try {
    return record(JSON.parse(line))
  } catch {
    return {}
  }
}

const record = (value: unknown): Told => (typeof value === 'object' && value !== null ? (value as Told) : {})
