import { createHash } from 'node:crypto'

/** The corpus that the tools search. */
export const MEMORY = 'memory'

/**
 * The words of a corpus in the one text index: those of memory as they are, those of another with its mark in front. So a search costs
 * what its own corpus has.
 */
export function corpusWords(corpus: string, words: string): string {
  if (corpus === MEMORY || words === '') return words
  const mark = `z${createHash('sha256').update(corpus).digest('hex').slice(0, 8)}z`
  return words
    .split(' ')
    .map((word) => mark + word)
    .join(' ')
}
