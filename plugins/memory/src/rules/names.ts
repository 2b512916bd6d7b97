import { STOP_WORDS } from './stop-words.ts'
import { indexWords } from './words.ts'

/** Returns names in a question, as they are indexed: capitalised words, but the first only when it is a name by its kind. */
export function namesIn(query: string): readonly string[] {
  const names = [...query.matchAll(/\p{Lu}\p{Ll}{1,30}/gu)].map(([name]) => name).filter((name) => !STOP_WORDS.has(name.toLowerCase()))
  return [...new Set(names.map((name) => indexWords(name).split(' ')[0] as string))]
}
