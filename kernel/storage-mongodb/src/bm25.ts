/** Figures of a collection that a ranking needs, in every tenant. */
export interface TextFigures {
  readonly documents: number
  /** Average number of words of a document. */
  readonly averageLength: number
}

export interface Term {
  /** The entries under which documents hold it, and the weight of each. */
  readonly weights: ReadonlyMap<string, number>
}

export interface Candidate {
  readonly _id: unknown
  readonly id: string
  readonly length: number
  /** Its entries that belong to terms, repeated as often as they occur. */
  readonly entries: readonly string[]
}

export interface Scored {
  readonly _id: unknown
  readonly id: string
  readonly score: number
}

const SATURATION = 1.2
const LENGTH_SHARE = 0.75
/** Weight of a word that more than half of all documents have. */
const MIN_RARITY = 1e-6

/**
 * Ranks by BM25 with the constants and the arithmetic of FTS5, so that every store gives the same order; the best come first.
 * `counts` is the number of documents that contain each term.
 */
export function ranked(
  candidates: readonly Candidate[],
  terms: readonly Term[],
  counts: readonly number[],
  { documents, averageLength }: TextFigures,
): Scored[] {
  const rarities = counts.map((count) => {
    const rarity = Math.log((documents - count + 0.5) / (count + 0.5))
    return rarity > 0 ? rarity : MIN_RARITY
  })
  const scored = candidates.map(({ _id, id, length, entries }) => {
    let score = 0
    for (const [i, { weights }] of terms.entries()) {
      let frequency = 0
      for (const entry of entries) frequency += weights.get(entry) ?? 0
      const norm = frequency + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / averageLength)
      score += (rarities[i] as number) * ((frequency * (SATURATION + 1)) / norm)
    }
    return { _id, id, score }
  })
  return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}
