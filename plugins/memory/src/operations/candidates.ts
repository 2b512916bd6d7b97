import type { FoundBy } from '../api.ts'
import type { Candidate } from '../rules/blend.ts'
import { corpusWords } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { filterOf } from '../rules/search-filter.ts'
import { wordsWithin } from '../rules/words.ts'
import type { MemoryRecord } from '../schema.ts'
import { type Lacking, type Near, nearest } from './nearest.ts'
import type { Call, MemoryUses } from './uses.ts'

export interface RecordQuery {
  readonly corpus: string
  readonly query: string
  readonly repo?: string | undefined
  readonly source?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly anyTag?: readonly string[] | undefined
  readonly sessions?: boolean | undefined
  readonly since?: string | undefined
  readonly nearRepo?: string | undefined
  /** Only records with all words. */
  readonly all?: boolean | undefined
  readonly limit: number
}

/** Parts of a query, see rules/words.ts and rules/identifiers.ts. */
interface Parts {
  readonly words: readonly string[]
  readonly exact: readonly string[]
}

/** Minimum number of candidates from each list: a record in neither list is not an answer. */
const CANDIDATES = 60
/** Maximum number of records that hold an identifier or a phrase as written, for all parts together. */
const EXACT = 100
/** Minimum similarity: a record below it is unrelated to the query. */
const MIN_COSINE = 0.15

/** Number of times that a search is repeated without records that another node removed; later searches go on. */
const MAX_REPEATS = 10

/** Vectors cannot tell whether a text has a word. */
const ALL: Lacking = { model: 'off' }

/** Returns the best of both lists. The cosine also counts for records found by words, even if they are not among the nearest. */
export async function candidatesFor(
  query: RecordQuery,
  { words, exact }: Parts,
  uses: MemoryUses,
  call: Call,
): Promise<{ readonly candidates: readonly Candidate[]; readonly lacking?: Lacking }> {
  const { records } = uses
  const { corpus, since } = query
  const max = Math.max(CANDIDATES, query.limit)
  const labels = labelsOf(query)
  const anyOf = query.anyTag?.flatMap((tag) => labelsOf({ corpus, tags: [tag] }))
  const [found, asWritten, vectors] = await Promise.all([
    byWords(words, max, query.all ? words : []),
    query.all ? [] : words.length > 1 ? Promise.all(exact.map(holding)) : [],
    query.all ? ALL : nearest(query.query, { corpus, labels, anyOf, since }, max, uses, call),
  ])
  const lexical = new Map<string, { readonly record: MemoryRecord; readonly score: number }>()
  for (const { item, score } of found) lexical.set(item.id, { record: item, score })
  for (const { item } of asWritten.flat()) if (!lexical.has(item.id)) lexical.set(item.id, { record: item, score: 0 })
  const near = 'nearest' in vectors ? await readNear(vectors, lexical, records) : undefined
  const { alike, more } = near ?? { alike: new Set<string>(), more: [] }
  const cosines = near?.of([...lexical.keys(), ...more.map(({ id }) => id)])
  const candidates = [...lexical.values(), ...more.map((record) => ({ record, score: 0 }))].map(({ record, score }): Candidate => {
    const foundBy: FoundBy[] = [
      ...(lexical.has(record.id) ? (['words'] as const) : []),
      ...(alike.has(record.id) ? (['vectors'] as const) : []),
    ]
    return { record, words: score, cosine: cosines?.get(record.id) ?? 0, foundBy }
  })
  return 'nearest' in vectors ? { candidates } : { candidates, lacking: vectors }

  async function byWords(some: readonly string[], limit: number, must: readonly string[] = []) {
    if (some.length === 0) return []
    const where = filterOf({ labels, words: must.map((word) => corpusWords(corpus, word)), since, anyOf })
    return records.search({ text: corpusWords(corpus, some.join(' ')), ...(where && { where }), limit })
  }

  /**
   * A record with an identifier or a phrase has all of its words, however many other records have some of them, and more often.
   */
  function holding(part: string) {
    const within = wordsWithin(part)
    return byWords(within, Math.ceil(EXACT / exact.length), within)
  }
}

interface NearRecords extends Pick<Near, 'of'> {
  /** Ids of all near records. */
  readonly alike: ReadonlySet<string>
  /** The near records that are not known yet. */
  readonly more: readonly MemoryRecord[]
}

/** A node does not learn of removals by others: records that are not found would fill the places of those that are there. */
async function readNear(
  first: Near,
  known: ReadonlyMap<string, unknown>,
  records: Pick<MemoryUses['records'], 'getMany'>,
): Promise<NearRecords> {
  let near = first
  for (let repeats = 0; ; repeats++) {
    const alike = new Set([...near.nearest].filter(([, cosine]) => cosine >= MIN_COSINE).map(([id]) => id))
    const lacking = [...alike].filter((id) => !known.has(id))
    const more = lacking.length === 0 ? [] : await records.getMany(lacking)
    if (more.length === lacking.length || repeats === MAX_REPEATS) return { alike, more, of: near.of }
    const there = new Set(more.map(({ id }) => id))
    near = await near.without(lacking.filter((id) => !there.has(id)))
  }
}
