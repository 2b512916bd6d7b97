import { indexWords, queryWords } from './words.ts'

/** Returns a function that tells the share of a query's telling words that a text has, in any of their forms: 0 to 1. */
export function shareOfWords(query: string): (text: string) => number {
  const words = queryWords(query)
  return (text) => {
    if (words.length === 0) return 0
    const own = new Set(indexWords(text).split(' '))
    return words.filter((word) => own.has(word)).length / words.length
  }
}
