import { corpusWords, plainWords } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { filterOf } from '../rules/search-filter.ts'
import { type Misspelt, misspelt } from '../rules/typing-errors.ts'
import type { MemoryRecord } from '../schema.ts'
import type { RecordQuery } from './candidates.ts'
import type { MemoryUses } from './uses.ts'

const MAX_WORDS_PER_SEARCH = 250
/** Records that show which of the near words are used, and how often. */
const LOOK = 20

/**
 * Replaces words of a question that no text has by the nearest word that some text has. Returns `undefined` if there is nothing to
 * replace. `found` are the records that the words found; a word that none of them has is taken for unknown, since the rarest words
 * count most.
 */
export async function corrected(
  words: readonly string[],
  found: readonly MemoryRecord[],
  queries: readonly RecordQuery[],
  { records }: MemoryUses,
): Promise<readonly string[] | undefined> {
  const isKnown = (word: string): boolean => found.some((record) => ` ${record.words} `.includes(` ${corpusWords(record.corpus, word)} `))
  const wrong = misspelt(queries[0]?.query ?? '', new Set(words.filter((word) => !isKnown(word))))
  const meant = new Map<string, string>()
  for (const one of wrong) {
    const word = await likeliest(one)
    if (word !== undefined) meant.set(one.stem, word)
  }
  return meant.size === 0 ? undefined : [...new Set(words.map((word) => meant.get(word) ?? word))]

  /** The near word that most of the records have. */
  async function likeliest({ stem, meant }: Misspelt): Promise<string | undefined> {
    const stems = [stem, ...meant]
    const counts = new Map<string, number>()
    const found = await Promise.all(queries.flatMap((query) => searches(query, stems)))
    for (const { item } of found.flat())
      for (const word of plainWords(item)) if (word === stem || meant.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    // The word is in use after all, only not in the best texts.
    if (counts.has(stem)) return undefined
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
  }

  function searches({ corpus, anyTag, since, ...query }: RecordQuery, stems: readonly string[]) {
    const anyOf = anyTag?.flatMap((tag) => labelsOf({ corpus, tags: [tag] }))
    const where = filterOf({ labels: labelsOf({ corpus, ...query }), since, anyOf })
    const parts = Array.from({ length: Math.ceil(stems.length / MAX_WORDS_PER_SEARCH) }, (_, at) =>
      stems.slice(at * MAX_WORDS_PER_SEARCH, (at + 1) * MAX_WORDS_PER_SEARCH),
    )
    return parts.map((part) => records.search({ text: corpusWords(corpus, part.join(' ')), ...(where && { where }), limit: LOOK }))
  }
}
