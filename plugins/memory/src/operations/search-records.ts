import { defined } from '@gateway/sdk'
import type { Found } from '../api.ts'
import { blend, type Ranked } from '../rules/blend.ts'
import { corpusWords } from '../rules/corpus-words.ts'
import { exactParts } from '../rules/identifiers.ts'
import { namesIn } from '../rules/names.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { candidatesFor, type RecordQuery } from './candidates.ts'
import type { Call, MemoryUses } from './uses.ts'

/** One query over words and vectors, see rules/blend.ts. */
export async function searchRecords(query: RecordQuery, uses: MemoryUses, call: Call): Promise<Found<{ readonly record: Record }>> {
  const { corpus, query: text, nearRepo } = query
  const exact = exactParts(text)
  const words = queryWords(text)
  const { candidates, isHybrid } = await candidatesFor(query, { words, exact }, uses, call)
  const ranked = blend(candidates, {
    words: words.map((word) => corpusWords(corpus, word)),
    names: namesIn(text).map((name) => corpusWords(corpus, name)),
    exact,
    nearRepo,
    now: call.now().getTime(),
    ...uses.config,
  })
  return answer(ranked.slice(0, query.limit), isHybrid, uses)
}

function answer(ranked: readonly Ranked[], isHybrid: boolean, { engine }: MemoryUses): Found<{ readonly record: Record }> {
  const hits = ranked.map(({ record, score, foundBy }) => ({ record, score: Number(score.toFixed(6)), foundBy }))
  if (isHybrid) return { mode: 'hybrid', hits }
  const { hint } = engine.able()
  return { mode: 'lexical', ...defined({ hint }), hits }
}
