import type { Candidate } from './blend.ts'
import { MEMORY, plainWord } from './corpus-words.ts'

/** Words of a passage, about 600 characters, and the distance of two: each sentence stands whole in one of them. */
const PASSAGE = 100
const STEP = 50
/** Words of one record that are read: beyond them the text score alone counts. */
const MAX_READ = 4_000
/** Part of the best passage in the text score of candidates; the rest is the score of the whole text. */
const SHARE = 0.6
/** The usual constants of BM25. */
const K1 = 1.2
const B = 0.75

/**
 * Lets the best passage of each text count in its text score. A long text has a few words of any question somewhere; its passage
 * that answers has them together. Rarity is taken from the candidates. Nothing changes where all texts are short.
 */
export function withPassages(candidates: readonly Candidate[], words: readonly string[]): readonly Candidate[] {
  const texts = candidates.map(({ record: { corpus, words } }) => {
    const all = words.split(' ', MAX_READ)
    return corpus === MEMORY ? all : all.map((word) => plainWord(corpus, word))
  })
  if (words.length < 2 || texts.every((text) => text.length <= 2 * PASSAGE)) return candidates
  const rarity = rarityOf(texts, words)
  const best = texts.map((text) => bestPassage(text, rarity))
  const [most, mostWords] = [Math.max(...best, 0), Math.max(...candidates.map((one) => one.words), 0)]
  if (most === 0 || mostWords === 0) return candidates
  return candidates.map((one, at) =>
    one.words === 0 ? one : { ...one, words: (1 - SHARE) * one.words + SHARE * mostWords * ((best[at] as number) / most) },
  )
}

function rarityOf(texts: readonly (readonly string[])[], words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(words.map((word) => [word, 0]))
  for (const text of texts) for (const word of new Set(text)) if (counts.has(word)) counts.set(word, (counts.get(word) as number) + 1)
  return new Map([...counts].map(([word, n]) => [word, Math.log(1 + (texts.length - n + 0.5) / (n + 0.5))]))
}

function bestPassage(text: readonly string[], rarity: ReadonlyMap<string, number>): number {
  let best = 0
  for (let from = 0; from === 0 || from + STEP < text.length; from += STEP) {
    const passage = text.slice(from, from + PASSAGE)
    const found = new Map<string, number>()
    for (const word of passage) if (rarity.has(word)) found.set(word, (found.get(word) ?? 0) + 1)
    let score = 0
    const norm = K1 * (1 - B + (B * passage.length) / PASSAGE)
    for (const [word, n] of found) score += ((rarity.get(word) as number) * n * (K1 + 1)) / (n + norm)
    best = Math.max(best, score)
  }
  return best
}
