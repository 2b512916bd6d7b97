import type { Found } from '../api.ts'
import { asksLatest } from '../rules/asks-latest.ts'
import { blend, type Ranked } from '../rules/blend.ts'
import { exactParts } from '../rules/identifiers.ts'
import { levelled } from '../rules/levelled.ts'
import { namesIn } from '../rules/names.ts'
import { withPassages } from '../rules/passages.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { candidatesFor, type RecordQuery } from './candidates.ts'
import type { Lacking } from './nearest.ts'
import type { Call, MemoryUses } from './uses.ts'

/** Runs one query over words and vectors, in one corpus or in several with one ranking; see rules/blend.ts. */
export async function searchRecords(
  query: RecordQuery,
  uses: MemoryUses,
  call: Call,
  alsoIn: readonly RecordQuery[] = [],
): Promise<Found<{ readonly record: Record }>> {
  const { query: text, nearRepo } = query
  const exact = exactParts(text)
  const words = queryWords(text)
  const lists = await Promise.all([query, ...alsoIn].map((one) => candidatesFor(one, { words, exact }, uses, call)))
  const candidates = levelled(
    lists.flatMap((list) => withPassages(list.candidates, words)),
    words,
  )
  const ranked = blend(candidates, {
    words,
    names: namesIn(text),
    exact,
    nearRepo,
    latest: asksLatest(text),
    now: call.now().getTime(),
    ...uses.config,
  })
  return answer(ranked.slice(0, query.limit), lists.find(({ lacking }) => lacking !== undefined)?.lacking)
}

function answer(ranked: readonly Ranked[], lacking: Lacking | undefined): Found<{ readonly record: Record }> {
  const hits = ranked.map(({ record, score, foundBy }) => ({ record, score: Number(score.toFixed(6)), foundBy }))
  return lacking === undefined ? { mode: 'hybrid', hits } : { mode: 'lexical', ...lacking, hits }
}
