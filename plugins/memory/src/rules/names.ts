import { STOP_WORDS } from './stop-words.ts'
import { indexWords } from './words.ts'

/** Names in a question: words with a capital, but for the first when it is no name by its kind. As they are indexed. */
export function namesIn(query: string): readonly string[] {
  const names = [...query.matchAll(/\p{Lu}\p{Ll}{1,30}/gu)].map(([name]) => name).filter((name) => !STOP_WORDS.has(name.toLowerCase()))
  return [...new Set(names.map((name) => indexWords(name).split(' ')[0] as string))]
}
