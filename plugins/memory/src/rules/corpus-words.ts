import { createHash } from 'node:crypto'

/** The corpus that the tools search. */
export const MEMORY = 'memory'

/**
 * Words of a corpus in the shared text index: memory's unchanged, those of another corpus with its mark in front. A search
 * therefore
 * costs only what its own corpus has.
 */
export function corpusWords(corpus: string, words: string): string {
  if (corpus === MEMORY || words === '') return words
  const mark = `z${createHash('sha256').update(corpus).digest('hex').slice(0, 8)}z`
  return words
    .split(' ')
    .map((word) => mark + word)
    .join(' ')
}
