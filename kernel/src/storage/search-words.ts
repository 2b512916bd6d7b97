import { badField } from './documents.ts'

/** More words than this narrow nothing and cost a lookup each. */
const MAX_WORDS = 32

/**
 * The words of a user’s text, each once and in double quotes: what looks like an operator of a query language (`NOT`,
 * `-`, `*`, a quote) is a word or a gap between words.
 */
export function searchWords(text: string): readonly string[] {
  if (typeof text !== 'string') throw badField('text', 'expected the words to search for, a string')
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => `"${word}"`)
}
