import { defined, HOUR_MS } from '@gateway/sdk'
import type { Reading, TokenTotals, WindowStatus } from '../schema.ts'
import { NO_TOKENS, plus, weigh } from './tokens.ts'

export interface QuotaWindow {
  readonly lengthMs: number
  /** True if the next window begins when this one ends. Otherwise it begins with the first use after that. */
  readonly isFixed: boolean
  readonly pct: 'fiveHourPct' | 'sevenDayPct'
  readonly resetsAt: 'fiveHourResetsAt' | 'sevenDayResetsAt'
}
export const FIVE_HOURS: QuotaWindow = { lengthMs: 5 * HOUR_MS, isFixed: false, pct: 'fiveHourPct', resetsAt: 'fiveHourResetsAt' }
export const WEEK: QuotaWindow = { lengthMs: 7 * 24 * HOUR_MS, isFixed: true, pct: 'sevenDayPct', resetsAt: 'sevenDayResetsAt' }

/** Tokens of an account by hour of use, oldest first. */
export type UsedHours = readonly (TokenTotals & { readonly hour: string })[]

/** A lower reading is too coarse to show the tokens per percent. */
const MIN_CALIBRATION_PCT = 5
/** A smaller part of a window says nothing about its pace. */
const MIN_ELAPSED = 0.1

/**
 * Tokens of a time span. An hour that the span cuts counts in proportion. The tokens of the running hour were all used by `now`,
 * so that hour ends there.
 */
export function tokensBetween(hours: UsedHours, from: number, to: number, now = Number.POSITIVE_INFINITY): TokenTotals {
  let sum = NO_TOKENS
  for (const { hour, ...tokens } of hours) {
    const share = shareOfHour(Date.parse(hour), from, to, now)
    if (share > 0) sum = plus(sum, scaled(tokens, share))
  }
  return {
    input: Math.round(sum.input),
    output: Math.round(sum.output),
    cacheCreate: Math.round(sum.cacheCreate),
    cacheRead: Math.round(sum.cacheRead),
  }
}

function shareOfHour(begin: number, from: number, to: number, now: number): number {
  // The clock of a host may be ahead: its tokens belong to the last moment.
  if (begin >= now) return from < now && now <= to ? 1 : 0
  const end = Math.min(begin + HOUR_MS, now)
  return Math.max(0, Math.min(to, end) - Math.max(from, begin)) / (end - begin)
}

function scaled({ input, output, cacheCreate, cacheRead }: TokenTotals, by: number): TokenTotals {
  return { input: input * by, output: output * by, cacheCreate: cacheCreate * by, cacheRead: cacheRead * by }
}

interface Span {
  readonly from: number
  /** Undefined if the end of the window is unknown. */
  readonly to: number | undefined
}

/** The window that contains `now`, by the last reading that names the end of one. */
function currentSpan({ lengthMs, isFixed, resetsAt }: QuotaWindow, readings: readonly Reading[], hours: UsedHours, now: number): Span {
  const end = readings.find((reading) => reading[resetsAt] !== undefined)?.[resetsAt]
  if (end === undefined) return { from: now - lengthMs, to: undefined }
  const ends = Date.parse(end)
  if (ends > now) return { from: ends - lengthMs, to: ends }
  if (isFixed) {
    const from = ends + Math.floor((now - ends) / lengthMs) * lengthMs
    return { from, to: from + lengthMs }
  }
  return afterFirstUse(hours, ends, lengthMs, now)
}

/** Windows that begin with a use, one after the other, since `since`. */
function afterFirstUse(hours: UsedHours, since: number, lengthMs: number, now: number): Span {
  let from = since
  for (;;) {
    const first = hours.find((used) => Date.parse(used.hour) + HOUR_MS > from && Date.parse(used.hour) <= now && weigh(used) > 0)
    if (!first) return { from: now, to: undefined }
    from = Math.max(from, Date.parse(first.hour))
    if (from + lengthMs > now) return { from, to: from + lengthMs }
    from += lengthMs
  }
}

/** Weighted tokens per percent, by the last reading that is fine enough; undefined without one. */
function tokensAPercent(
  { lengthMs, pct, resetsAt }: QuotaWindow,
  readings: readonly Reading[],
  hours: UsedHours,
  now: number,
): number | undefined {
  for (const reading of readings) {
    const [used, end] = [reading[pct], reading[resetsAt]]
    if (used === undefined || used < MIN_CALIBRATION_PCT || end === undefined) continue
    const weight = weigh(tokensBetween(hours, Date.parse(end) - lengthMs, Date.parse(reading.at), now))
    if (weight > 0) return weight / used
  }
  return undefined
}

/** Status of a window. `readings` belong to one account, newest first; `reserve` is the share to keep unused. */
export function windowStatus(
  window: QuotaWindow,
  readings: readonly Reading[],
  hours: UsedHours,
  reserve: number,
  now: number,
): WindowStatus {
  const span = currentSpan(window, readings, hours, now)
  const tokens = tokensBetween(hours, span.from, now, now)
  const resets = span.to === undefined ? {} : { resetsAt: new Date(span.to).toISOString() }
  const used = usedOf(window, readings, hours, span, now)
  if (used === undefined) return { usedPct: null, source: 'unknown', ...resets, headroomPct: null, projectedPct: null, tokens }
  const usedPct = rounded(used.pct)
  return {
    usedPct,
    source: used.source,
    ...defined({ readAt: used.readAt }),
    ...resets,
    headroomPct: rounded(Math.max(0, 100 * (1 - reserve) - usedPct)),
    projectedPct: projected(used.pct, span, window.lengthMs, now),
    tokens,
  }
}

interface Used {
  readonly pct: number
  readonly source: 'real' | 'anchored' | 'estimate'
  readonly readAt?: string
}

function usedOf(window: QuotaWindow, readings: readonly Reading[], hours: UsedHours, span: Span, now: number): Used | undefined {
  const perPercent = tokensAPercent(window, readings, hours, now)
  const last = readings.find((reading) => reading[window.pct] !== undefined)
  const pct = last?.[window.pct]
  if (last && pct !== undefined && Date.parse(last.at) >= span.from) {
    const since = weigh(tokensBetween(hours, Date.parse(last.at), now, now))
    if (since === 0) return { pct, source: 'real', readAt: last.at }
    return { pct: pct + (perPercent === undefined ? 0 : since / perPercent), source: 'anchored', readAt: last.at }
  }
  if (perPercent === undefined) return undefined
  return { pct: weigh(tokensBetween(hours, span.from, now, now)) / perPercent, source: 'estimate' }
}

function projected(pct: number, { from, to }: Span, lengthMs: number, now: number): number | null {
  if (to === undefined) return null
  const elapsed = (now - from) / lengthMs
  return elapsed < MIN_ELAPSED ? null : rounded(pct / elapsed)
}

const rounded = (pct: number): number => Math.round(pct * 100) / 100
