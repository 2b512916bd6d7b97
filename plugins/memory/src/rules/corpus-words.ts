import { createHash } from 'node:crypto'

/** The corpus that the tools search. */
export const MEMORY = 'memory'

/**
 * Words of a corpus in the shared text index: memory's unchanged, those of another corpus with its mark in front. A search
 * therefore costs only what its own corpus has.
 */
export function corpusWords(corpus: string, words: string): string {
  if (corpus === MEMORY || words === '') return words
  const mark = markOf(corpus)
  return words
    .split(' ')
    .map((word) => mark + word)
    .join(' ')
}

/** Returns the distinct words of a record without the mark of its corpus, so that records of two corpora compare. */
export function plainWords({ corpus, words }: { readonly corpus: string; readonly words: string }): ReadonlySet<string> {
  const all = words.split(' ')
  if (corpus === MEMORY) return new Set(all)
  return new Set(all.map((word) => plainWord(corpus, word)))
}

export function plainWord(corpus: string, word: string): string {
  return corpus === MEMORY ? word : word.slice(MARK_LENGTH)
}

const MARK_LENGTH = 10
const markOf = (corpus: string): string => `z${createHash('sha256').update(corpus).digest('hex').slice(0, 8)}z`
