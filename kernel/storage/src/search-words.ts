import { badField } from './documents.ts'

/** More words than this narrow nothing and cost a look-up each. */
const MAX_WORDS = 32
/** Number of candidate words of a search in prepared text. A text without spaces has about two for each character. */
const MAX_PREPARED = 256
/** Number of candidates that are searched for: the rarest if the store knows their frequency, otherwise the first. */
export const MAX_SEARCHED = 128

/** Words of prepared text: ASCII letters and digits, and any other script. Each index stores them whole. */
const PREPARED = /[a-z0-9\u0080-\u{10ffff}]+/gu

/** The words of prepared text, in their order. */
export function preparedWords(text: string): readonly string[] {
  return text.toLowerCase().match(PREPARED) ?? []
}

/** The words of a search in prepared text, each once. */
export function preparedSearch(text: unknown): readonly string[] {
  if (typeof text !== 'string') throw badField('text', 'expected the words to search for, a string')
  return [...new Set(preparedWords(text))].slice(0, MAX_PREPARED)
}

/**
 * The words of a user's text, each once and in double quotes: anything that looks like an operator of a query language (`NOT`,
 * `-`, `*`, a quote) is a word or a gap between words.
 */
export function searchWords(text: string): readonly string[] {
  if (typeof text !== 'string') throw badField('text', 'expected the words to search for, a string')
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => `"${word}"`)
}
