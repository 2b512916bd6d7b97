import type { AccountStatus, Asset, Reading, WindowStatus } from '../schema.ts'

/** A reading older than this is worth renewing. */
const STALE_MS = 6 * 3_600_000
/** Assets that expire within this are worth using first. */
const SOON_MS = 3 * 86_400_000
const NEARLY_USED_MODEL_WINDOW_PCT = 80

interface Known {
  readonly fiveHour: WindowStatus
  readonly weekly: WindowStatus
  readonly last: Reading | undefined
  readonly assets: readonly Asset[]
  readonly now: number
}

export const stillValid = ({ active, expires }: Asset, now: number): boolean =>
  active && (expires === undefined || Date.parse(expires) > now)

export function fitOf({ fiveHour, weekly }: Pick<Known, 'fiveHour' | 'weekly'>): AccountStatus['fit'] {
  const windows = [fiveHour, weekly]
  if (windows.some(({ usedPct }) => usedPct !== null && usedPct >= 100)) return 'exhausted'
  if (windows.some(({ headroomPct }) => headroomPct === 0)) return 'reserve'
  return windows.some(({ usedPct }) => usedPct === null) ? 'unknown' : 'good'
}

export const isHot = ({ fiveHour, weekly }: Pick<Known, 'fiveHour' | 'weekly'>): boolean =>
  [fiveHour, weekly].some(({ projectedPct }) => projectedPct !== null && projectedPct >= 100)

export function flagsOf({ fiveHour, weekly, last, assets, now }: Known): readonly string[] {
  const spends = assets.some((asset) => asset.kind === 'spend_flag' && stillValid(asset, now))
  return [
    ...(last === undefined ? ['no_reading'] : now - Date.parse(last.at) > STALE_MS ? ['stale_reading'] : []),
    ...(fiveHour.headroomPct === 0 ? ['five_hour_reserve'] : []),
    ...(weekly.headroomPct === 0 ? ['weekly_reserve'] : []),
    ...((last?.fablePct ?? 0) >= NEARLY_USED_MODEL_WINDOW_PCT ? ['fable_nearly_used'] : []),
    ...((last?.opusPct ?? 0) >= NEARLY_USED_MODEL_WINDOW_PCT ? ['opus_nearly_used'] : []),
    ...(spends ? ['spend_flag'] : []),
  ]
}

/** Suggestions for a person. Nothing is changed. */
export function recommendationsOf(known: Known): readonly string[] {
  const { fiveHour, weekly, last, assets, now } = known
  const [fit, flags, valid] = [fitOf(known), flagsOf(known), assets.filter((asset) => stillValid(asset, now))]
  const until = ({ resetsAt }: WindowStatus): string => (resetsAt === undefined ? 'it resets' : `${resetsAt.slice(0, 16)}Z`)
  const advice: string[] = []
  if (flags.includes('spend_flag')) advice.push('Use of this account is paid for by the token: take another account where there is one.')
  if (weekly.headroomPct === 0) advice.push(`The weekly window has only its reserve left: keep it for what matters until ${until(weekly)}.`)
  else if (fiveHour.headroomPct === 0) advice.push(`The 5-hour window has only its reserve left: hold new work until ${until(fiveHour)}.`)
  if (fit === 'exhausted' && valid.some(({ kind }) => kind === 'full_reset'))
    advice.push('A full reset is in hand: use it, or move work to another account.')
  for (const { kind, expires, usd } of valid) {
    if (kind === 'spend_flag' || expires === undefined || Date.parse(expires) - now > SOON_MS) continue
    const what = kind === 'full_reset' ? 'The full reset' : `The cloud credit${usd === undefined ? '' : ` of ${usd} USD`}`
    advice.push(`${what} expires at ${expires}: use it before.`)
  }
  if (isHot(known) && fit === 'good')
    advice.push('At this pace a window is used up before it resets: slow down, or spread work over accounts.')
  if (flags.includes('opus_nearly_used') || flags.includes('fable_nearly_used'))
    advice.push('The window of one model is nearly used up: choose another model.')
  if (last === undefined) advice.push('No reading of this account yet: record a reading, so that percentages are known.')
  else if (flags.includes('stale_reading')) advice.push('The last reading is hours old: record a new one.')
  if (advice.length === 0 && fit === 'good') advice.push('There is room for more work.')
  return advice
}
