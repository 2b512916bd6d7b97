import { defined } from '@gateway/sdk'
import type { ChunkFilter, ChunkQuery, Found } from '../api.ts'
import { chunkOf } from '../rules/chunk.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { filterOf } from '../rules/search-filter.ts'
import type { Chunk, Record } from '../schema.ts'
import { searchRecords } from './search-records.ts'
import type { Call, MemoryUses } from './uses.ts'

/** Returns the best chunks for a query; without one the newest that have the tags. Finding a pattern counts as one use. */
export async function searchChunks(query: ChunkQuery, uses: MemoryUses, call: Call): Promise<Found<Chunk>> {
  const { query: text = '', limit = 10 } = query
  if (text.trim() === '') {
    const chunks = await latestChunks(query, limit, uses)
    return { mode: 'lexical', hits: chunks.map((chunk) => ({ ...chunk, score: 0, foundBy: ['words'] })) }
  }
  const { hits, ...found } = await searchRecords({ ...query, corpus: MEMORY, query: text, limit }, uses, call)
  const patterns = hits.filter(({ record }) => record.strength !== undefined).map(({ record }) => record.id)
  if (patterns.length > 0) uses.patternsRecalled.emit({ chunkIds: patterns })
  return { ...found, hits: hits.map(({ record, score, foundBy }) => ({ ...chunkOf(record), score, foundBy })) }
}

/** If fewer records than this have all the labels, all are read; otherwise the newest are found soon. */
const FEW = 1_000

/** Returns the newest first. */
export async function latestChunks(filter: ChunkFilter, limit: number, { records }: MemoryUses): Promise<readonly Chunk[]> {
  const { repo, source, tags = [], sessions, since } = filter
  const sort = { createdAt: -1 } as const
  const time = since === undefined ? {} : { createdAt: { gte: since } }
  const labels = labelsOf({ corpus: MEMORY, repo, source, tags, sessions })
  if (tags.length > 0 || sessions) {
    const few = await records.search({ text: '', where: filterOf({ labels, since }) as object, limit: FEW })
    if (few.length < FEW) return newest(few.map(({ item }) => item)).slice(0, limit)
  }
  const left = tags.length > 0 || sessions ? { and: labels.map((label) => ({ labels: { has: label } })) } : {}
  const where = { corpus: MEMORY, ...defined({ repo, source }), ...time, ...left }
  return (await records.find({ where, sort, limit })).items.map(chunkOf)
}

function newest(records: readonly Record[]): readonly Chunk[] {
  return records
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.storedAs < b.storedAs ? 1 : -1))
    .map(chunkOf)
}
