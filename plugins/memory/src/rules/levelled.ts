import type { Candidate } from './blend.ts'
import { plainWords } from './corpus-words.ts'

/**
 * Makes the text scores of several corpora comparable. A word is rare in a small corpus, so its scores are higher for the same
 * text; and the best of a corpus that knows nothing must not count as much as a text that has all words. The best of each corpus
 * is therefore set to the largest share of the query's words that one of its texts has.
 */
export function levelled(candidates: readonly Candidate[], words: readonly string[]): readonly Candidate[] {
  const corpora = new Map<string, Candidate[]>()
  for (const one of candidates) {
    const list = corpora.get(one.record.corpus) ?? []
    list.push(one)
    corpora.set(one.record.corpus, list)
  }
  if (corpora.size < 2) return candidates
  return [...corpora.values()].flatMap((list) => {
    const best = Math.max(...list.map((one) => one.words), 0)
    if (best === 0) return list
    const factor = Math.max(...list.map((one) => shareOf(one, words))) / best
    return list.map((one) => ({ ...one, words: one.words * factor }))
  })
}

function shareOf({ record }: Candidate, words: readonly string[]): number {
  const own = plainWords(record)
  return words.filter((word) => own.has(word)).length / Math.max(1, words.length)
}
