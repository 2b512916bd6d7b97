import { defined } from '@gateway/sdk'
import type { Found, FoundBy } from '../api.ts'
import { blend, type Candidate, type Ranked } from '../rules/blend.ts'
import { corpusWords } from '../rules/corpus-words.ts'
import { exactParts } from '../rules/identifiers.ts'
import { labelsOf } from '../rules/labels.ts'
import { namesIn } from '../rules/names.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { nearest } from './nearest.ts'
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
  readonly limit: number
}

/** What each list hands to the blend, at least: what neither has among so many is no answer. */
const CANDIDATES = 60
/** Of those that hold an identifier as it is written. */
const EXACT = 20
/** What is less like the query than this is nothing like it. */
const MIN_COSINE = 0.15

/** One query over words and vectors, see rules/blend.ts. */
export async function searchRecords(query: RecordQuery, uses: MemoryUses, call: Call): Promise<Found<{ readonly record: Record }>> {
  const { records, config } = uses
  const max = Math.max(CANDIDATES, query.limit)
  const labels = labelsOf(query)
  const anyOf = query.anyTag?.flatMap((tag) => labelsOf({ corpus: query.corpus, tags: [tag] }))
  const where = filterOf(labels, query.since, anyOf)
  const exact = exactParts(query.query)
  const words = queryWords(query.query)
  const exactWords = words.length > 1 ? exact.flatMap(queryWords) : []
  const byWords = (some: readonly string[], limit: number) =>
    some.length === 0 ? [] : records.search({ text: corpusWords(query.corpus, some.join(' ')), ...(where && { where }), limit })
  const [found, asWritten, near] = await Promise.all([
    byWords(words, max),
    byWords(exactWords, EXACT),
    nearest(query.query, { corpus: query.corpus, labels, anyOf, since: query.since }, max, uses, call),
  ])
  const lexical = new Map(found.map(({ item, score }) => [item.id, { record: item, score }]))
  for (const { item } of asWritten) if (!lexical.has(item.id)) lexical.set(item.id, { record: item, score: 0 })
  const lacking = [...(near ?? [])].filter(([id, cosine]) => cosine >= MIN_COSINE && !lexical.has(id)).map(([id]) => id)
  const more = lacking.length === 0 ? [] : await records.getMany(lacking)
  const candidates = [...lexical.values(), ...more.map((record) => ({ record, score: 0 }))].map(({ record, score }): Candidate => {
    const cosine = near?.get(record.id) ?? 0
    const foundBy: FoundBy[] = [
      ...(lexical.has(record.id) ? (['words'] as const) : []),
      ...(cosine >= MIN_COSINE ? (['vectors'] as const) : []),
    ]
    return { record, words: score, cosine, foundBy }
  })
  const ranked = blend(candidates, {
    words: words.map((word) => corpusWords(query.corpus, word)),
    names: namesIn(query.query).map((name) => corpusWords(query.corpus, name)),
    exact,
    nearRepo: query.nearRepo,
    now: call.now().getTime(),
    ...config,
  })
  return answer(ranked.slice(0, query.limit), near !== undefined, uses)
}

const has = (label: string) => ({ labels: { has: label } })

/** Words that each hit must have, and its time; undefined when anything will do. */
export function filterOf(labels: readonly string[], since?: string, anyOf?: readonly string[]): object | undefined {
  const conditions = [
    ...labels.map(has),
    ...(anyOf === undefined ? [] : [anyOf.length === 1 ? has(anyOf[0] as string) : { or: anyOf.map(has) }]),
    ...(since === undefined ? [] : [{ createdAt: { gte: since } }]),
  ]
  return conditions.length === 0 ? undefined : { and: conditions }
}

function answer(ranked: readonly Ranked[], isHybrid: boolean, { engine }: MemoryUses): Found<{ readonly record: Record }> {
  const hits = ranked.map(({ record, score, foundBy }) => ({ record, score: Number(score.toFixed(6)), foundBy }))
  if (isHybrid) return { mode: 'hybrid', hits }
  const { hint } = engine.able()
  return { mode: 'lexical', ...defined({ hint }), hits }
}
