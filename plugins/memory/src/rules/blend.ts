import { DAY_MS } from '@gateway/sdk'
import type { FoundBy } from '../api.ts'
import type { MemoryRecord } from '../schema.ts'
import { plainWords } from './corpus-words.ts'
import { exactness } from './identifiers.ts'
import { cosinesAmongNeighbours } from './near-neighbours.ts'

export interface Candidate {
  readonly record: MemoryRecord
  /** Score of the text search; 0 when it did not find it. */
  readonly words: number
  /** The cosine; 0 when there is no vector. */
  readonly cosine: number
  readonly foundBy: readonly FoundBy[]
}
export interface Blending {
  /** Words of the query, as they are indexed, without the mark of a corpus. */
  readonly words: readonly string[]
  readonly names: readonly string[]
  /** Exact parts of the query, see identifiers.ts. */
  readonly exact: readonly string[]
  readonly nearRepo: string | undefined
  /** True if the query asks for the latest, see rules/asks-latest.ts. */
  readonly latest: boolean
  readonly now: number
  readonly recencyBoost: number
  readonly recencyHalfLifeDays: number
  readonly repoBoost: number
}
export interface Ranked {
  readonly record: MemoryRecord
  readonly score: number
  readonly foundBy: readonly FoundBy[]
}

const NAME_BOOST = 0.3
/** A text that asks has the words of a question, but seldom its answer. */
const ASKING = 0.9
/**
 * Words count fully when one record has this share of them, and then slightly more than the vectors; below it their weight falls.
 */
const FULL_COVERAGE = 0.5
const WORDS_TO_VECTORS = 1.2
/** Gain of the newest candidate over the oldest when the query asks for the latest: it decides between texts that fit alike. */
const LATEST_BOOST = 0.5

/**
 * Ranks candidates, best first. Each list is divided by its best and counts about half: ranks alone would give both equal
 * weight even if one of them has no match. A neighbour of a near record is nearer for it. If no record has the words of a
 * question, it is left to the vectors and words count less. Mild boosts multiply; exact matches of an identifier or a phrase
 * rank above all others.
 */
export function blend(candidates: readonly Candidate[], how: Blending): readonly Ranked[] {
  const bestWords = Math.max(...candidates.map(({ words }) => words), 0)
  const bestCosine = Math.max(...candidates.map(({ cosine }) => cosine), 0)
  const share = bestCosine === 0 ? 1 : shareOfWords(candidates, how.words)
  // The best possible score without an exact match.
  const most = (1 + NAME_BOOST) * (1 + how.recencyBoost) * (1 + how.repoBoost)
  const cosines = cosinesAmongNeighbours(candidates)
  const newness = how.latest ? newnessOf(candidates) : undefined
  const ranked = candidates.map((candidate): Ranked => {
    const { record, words, foundBy } = candidate
    const near = share * (words / (bestWords || 1)) + (1 - share) * ((cosines.get(candidate) ?? 0) / (bestCosine || 1))
    const exact = exactness(how.exact, record.content)
    const lift = exact > 0 ? exact + most : 0
    const latest = 1 + LATEST_BOOST * (newness?.get(record.createdAt) ?? 0)
    return { record, score: near * boost(record, how) * latest + lift, foundBy: exact > 0 ? [...foundBy, 'exact'] : foundBy }
  })
  return ranked.sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1))
}

/** Returns the place of each time among those of the candidates: 0 for the oldest, 1 for the newest. */
function newnessOf(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const times = [...new Set(candidates.map(({ record }) => record.createdAt))].sort()
  return new Map(times.map((time, at) => [time, times.length === 1 ? 0 : at / (times.length - 1)]))
}

/** Grows with the square of the largest share of the query's words in one record. */
function shareOfWords(candidates: readonly Candidate[], words: readonly string[]): number {
  if (words.length === 0) return 0
  const shares = candidates.map(({ record }) => {
    const own = plainWords(record)
    return words.filter((word) => own.has(word)).length / words.length
  })
  const weight = WORDS_TO_VECTORS * Math.min(1, Math.max(0, ...shares) / FULL_COVERAGE) ** 2
  return weight / (weight + 1)
}

function boost(record: MemoryRecord, { names, nearRepo, now, recencyBoost, recencyHalfLifeDays, repoBoost }: Blending): number {
  const age = Math.max(0, now - Date.parse(record.createdAt)) / DAY_MS
  const words = names.length > 0 ? plainWords(record) : undefined
  const named = words ? names.filter((name) => words.has(name)).length / names.length : 0
  const recent = recencyBoost * 0.5 ** (age / recencyHalfLifeDays)
  const own = nearRepo !== undefined && record.repo === nearRepo ? repoBoost : 0
  return (1 + NAME_BOOST * named) * (1 + recent) * (1 + own) * (record.content.trimEnd().endsWith('?') ? ASKING : 1)
}
