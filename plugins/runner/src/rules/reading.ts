import { HOUR_MS } from '@gateway/sdk'
import type { AgentReport, UsedWindow, Windows } from './adapter.ts'

/** The report with the time until a used-up quota resets, where the program told the hour alone. */
export function withRetry(report: AgentReport, now: number): AgentReport {
  const { stop, retryAfterSeconds, resetsAt } = report
  if (stop !== 'quota' || retryAfterSeconds !== undefined || resetsAt === undefined) return report
  return { ...report, retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1_000)) }
}

/** Windows of the account as a run has shown them. A used-up quota that told only its reset belongs to the window that can end then. */
export function windowsOf({ windows, stop, retryAfterSeconds }: AgentReport, now: number): Windows {
  if ((windows?.fiveHour ?? windows?.weekly) !== undefined || stop !== 'quota' || retryAfterSeconds === undefined) return windows ?? {}
  const used = { usedPct: 100, resetsAt: now + retryAfterSeconds * 1_000 }
  return retryAfterSeconds * 1_000 <= 5 * HOUR_MS ? { fiveHour: used } : { weekly: used }
}

/** The reading of an account for the gateway; `undefined` if the run has shown no quota. */
export function readingOf(account: string, host: string, { fiveHour, weekly }: Windows, now: number): object | undefined {
  if (!fiveHour && !weekly) return undefined
  const at = new Date(now).toISOString()
  const five = fiveHour && { fiveHourPct: fiveHour.usedPct, ...reset('fiveHourResetsAt', fiveHour) }
  return {
    account,
    host,
    source: 'statusline',
    at,
    ...five,
    ...(weekly && { sevenDayPct: weekly.usedPct, ...reset('sevenDayResetsAt', weekly) }),
  }
}

const reset = (name: string, { resetsAt }: UsedWindow): object =>
  resetsAt === undefined ? {} : { [name]: new Date(resetsAt).toISOString() }
