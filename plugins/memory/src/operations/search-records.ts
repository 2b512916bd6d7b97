import type { Found } from '../api.ts'
import { blend, type Ranked } from '../rules/blend.ts'
import { corpusWords } from '../rules/corpus-words.ts'
import { exactParts } from '../rules/identifiers.ts'
import { namesIn } from '../rules/names.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { candidatesFor, type RecordQuery } from './candidates.ts'
import type { Lacking } from './nearest.ts'
import type { Call, MemoryUses } from './uses.ts'

/** Runs one query over words and vectors, see rules/blend.ts. */
export async function searchRecords(query: RecordQuery, uses: MemoryUses, call: Call): Promise<Found<{ readonly record: Record }>> {
  const { corpus, query: text, nearRepo } = query
  const exact = exactParts(text)
  const words = queryWords(text)
  const { candidates, lacking } = await candidatesFor(query, { words, exact }, uses, call)
  const ranked = blend(candidates, {
    words: words.map((word) => corpusWords(corpus, word)),
    names: namesIn(text).map((name) => corpusWords(corpus, name)),
    exact,
    nearRepo,
    now: call.now().getTime(),
    ...uses.config,
  })
  return answer(ranked.slice(0, query.limit), lacking)
}

function answer(ranked: readonly Ranked[], lacking: Lacking | undefined): Found<{ readonly record: Record }> {
  const hits = ranked.map(({ record, score, foundBy }) => ({ record, score: Number(score.toFixed(6)), foundBy }))
  return lacking === undefined ? { mode: 'hybrid', hits } : { mode: 'lexical', ...lacking, hits }
}
