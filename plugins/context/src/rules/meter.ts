import type { ServedBoot } from '../api.ts'
import { BUCKETS, DURATIONS, type Meter } from '../schema.ts'

/** Approximate size of a token in English text and Markdown. */
const CHARACTERS_PER_TOKEN = 4
export const tokens = (characters: number): number => Math.round(characters / CHARACTERS_PER_TOKEN)

export const ALL_TIME = 'all'
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

type Owner = Pick<Meter, 'kind' | 'period' | 'repo' | 'tool' | 'userId'>
/** A record per owner and period. Names are quoted, so that no two owners share one. */
export const meterId = ({ kind, period, repo, tool, userId }: Owner): string => JSON.stringify([kind, period, tool, repo ?? userId])

/** Returns what a boot adds to a meter: the initial meter, and the change of an existing one. */
export function counted(owner: Owner, { coldCharacters, servedCharacters, milliseconds }: ServedBoot) {
  const took = Math.max(0, Math.round(milliseconds))
  const at = DURATIONS.findIndex((limit) => took <= limit)
  const bucket = BUCKETS[at === -1 ? BUCKETS.length - 1 : at] ?? 'd8'
  const savedCharacters = Math.max(0, coldCharacters - servedCharacters)
  const sums = { boots: 1, coldCharacters, servedCharacters, savedCharacters, milliseconds: took }
  const none = { d0: 0, d1: 0, d2: 0, d3: 0, d4: 0, d5: 0, d6: 0, d7: 0, d8: 0 }
  const first: Meter = { meterId: meterId(owner), ...owner, ...sums, maxMilliseconds: took, ...none, [bucket]: 1 }
  return { first, more: { inc: { ...sums, [bucket]: 1 }, max: { maxMilliseconds: took } } }
}

/** Returns a duration that `share` of the boots did not exceed, as the end of its bucket; in the last bucket, the longest. */
export function quantile(buckets: readonly number[], share: number, max: number): number {
  const wanted = buckets.reduce((sum, count) => sum + count, 0) * share
  let seen = 0
  for (const [at, count] of buckets.entries()) {
    seen += count
    if (seen >= wanted && seen > 0) return Math.min(DURATIONS[at] ?? max, max)
  }
  return 0
}
