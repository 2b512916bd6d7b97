import { defined } from '@gateway/sdk'
import type { ChunkFilter, ChunkQuery, Found, Hit } from '../api.ts'
import { chunkOf, isValid } from '../rules/chunk.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { filterOf } from '../rules/search-filter.ts'
import { validFirst } from '../rules/valid-first.ts'
import type { Chunk, MemoryRecord } from '../schema.ts'
import type { RecordQuery } from './candidates.ts'
import { searchRecords } from './search-records.ts'
import type { Call, MemoryUses } from './uses.ts'

/** Candidates beyond the limit, because superseded and expired ones lose their places. */
const MORE = 20

/** Returns the best chunks for a query; without one the newest that have the tags. Finding a pattern counts as one use. */
export async function searchChunks(query: ChunkQuery, uses: MemoryUses, call: Call): Promise<Found<Chunk>> {
  const { query: text = '', limit = 10 } = query
  if (text.trim() === '') {
    const chunks = await latestChunks(query, limit, uses, call)
    return { mode: 'lexical', hits: chunks.map((chunk) => ({ ...chunk, score: 0, foundBy: ['words'] })) }
  }
  const { hits, ...found } = await searchRecords(chunkQuery(query), uses, call)
  return { ...found, hits: told(hits.map(({ record, ...hit }) => ({ ...chunkOf(record, call.now(), query.repo), ...hit }))) }

  function told(chunks: readonly (Chunk & Hit)[]): readonly (Chunk & Hit)[] {
    const best = validFirst(query.valid ? chunks.filter(isValid) : chunks, limit)
    countUses(best, uses)
    return best
  }
}

export function chunkQuery(query: ChunkQuery): RecordQuery {
  const { query: text = '', limit = 10 } = query
  return { ...query, corpus: MEMORY, query: text, limit: 2 * limit + MORE }
}

export function countUses(chunks: readonly Chunk[], { patternsRecalled }: MemoryUses): void {
  const patterns = chunks.filter(({ source }) => source === 'pattern').map(({ chunkId }) => chunkId)
  if (patterns.length > 0) patternsRecalled.emit({ chunkIds: patterns })
}

/** If fewer records than this have all the labels, all are read; otherwise the newest are found soon. */
const FEW = 1_000

/** Returns the newest first; superseded and expired ones last. */
export async function latestChunks(
  filter: ChunkFilter,
  limit: number,
  { records }: MemoryUses,
  call: Pick<Call, 'now'>,
): Promise<readonly Chunk[]> {
  const { repo, source, tags = [], sessions, since, valid } = filter
  const labels = labelsOf({ corpus: MEMORY, repo, source, tags, sessions })
  const hasFew = tags.length > 0 || sessions
  const few = hasFew ? await records.search({ text: '', where: filterOf({ labels, since }) as object, limit: FEW }) : []
  if (hasFew && few.length < FEW) return chunksOf(few.map(({ item }) => item))
  const sort = { createdAt: -1 } as const
  const time = since === undefined ? {} : { createdAt: { gte: since } }
  const left = hasFew ? { and: labels.map((label) => ({ labels: { has: label } })) } : {}
  const where = { corpus: MEMORY, ...defined({ repo, source }), ...time, ...left }
  const [{ items }, joined] = await Promise.all([records.find({ where, sort, limit: limit + MORE }), hasFew ? [] : ofOtherRepo()])
  return chunksOf([...items, ...joined])

  function chunksOf(found: readonly MemoryRecord[]): readonly Chunk[] {
    const chunks = newest(found).map((record) => chunkOf(record, call.now(), repo))
    return [...chunks.filter(isValid), ...(valid ? [] : chunks.filter((chunk) => !isValid(chunk)))].slice(0, limit)
  }

  async function ofOtherRepo(): Promise<readonly MemoryRecord[]> {
    if (repo === undefined) return []
    const joined = filterOf({ labels: labelsOf({ corpus: MEMORY, source, joinedRepo: repo }), since }) as object
    return (await records.search({ text: '', where: joined, limit: FEW })).map(({ item }) => item)
  }
}

function newest(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
  return records.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.storedAs < b.storedAs ? 1 : -1))
}
