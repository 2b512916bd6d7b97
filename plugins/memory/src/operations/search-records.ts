import type { Found } from '../api.ts'
import { asksLatest } from '../rules/asks-latest.ts'
import { blend, type Ranked } from '../rules/blend.ts'
import { exactParts } from '../rules/identifiers.ts'
import { levelled } from '../rules/levelled.ts'
import { namesIn } from '../rules/names.ts'
import { withPassages } from '../rules/passages.ts'
import { queryWords } from '../rules/words.ts'
import type { MemoryRecord } from '../schema.ts'
import { candidatesFor, type RecordQuery } from './candidates.ts'
import { corrected } from './corrected.ts'
import type { Lacking } from './nearest.ts'
import type { Call, MemoryUses } from './uses.ts'

/**
 * Runs one query over words and vectors, in one corpus or in several with one ranking; see rules/blend.ts. Words that no text has are
 * searched for as the words that they were meant as.
 */
export async function searchRecords(
  query: RecordQuery,
  uses: MemoryUses,
  call: Call,
  alsoIn: readonly RecordQuery[] = [],
): Promise<Found<{ readonly record: MemoryRecord }>> {
  const { query: text, nearRepo } = query
  const exact = exactParts(text)
  const queries = [query, ...alsoIn]
  const look = (words: readonly string[]) => Promise.all(queries.map((one) => candidatesFor(one, { words, exact }, uses, call)))
  const asked = queryWords(text)
  const first = await look(asked)
  const byWords = first.flatMap(({ candidates }) => candidates.flatMap(({ record, foundBy }) => (foundBy.includes('words') ? record : [])))
  const otherWords = query.all ? undefined : await corrected(asked, byWords, queries, uses)
  const words = otherWords ?? asked
  const lists = otherWords ? await look(otherWords) : first
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

function answer(ranked: readonly Ranked[], lacking: Lacking | undefined): Found<{ readonly record: MemoryRecord }> {
  const hits = ranked.map(({ record, score, foundBy }) => ({ record, score: Number(score.toFixed(6)), foundBy }))
  return lacking === undefined ? { mode: 'hybrid', hits } : { mode: 'lexical', ...lacking, hits }
}
