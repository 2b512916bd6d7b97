import type { ChunkKeeper, ChunkQuery, Found, Hit, KeptChunk, KeptTogether } from '../api.ts'
import { chunkOf, isValid } from '../rules/chunk.ts'
import { contentHash } from '../rules/content-hash.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { validFirst } from '../rules/valid-first.ts'
import type { Chunk, ChunkSource, MemoryRecord } from '../schema.ts'
import { chunkQuery, countUses, searchChunks } from './search-chunks.ts'
import { searchRecords } from './search-records.ts'
import type { Call, SearchUses } from './uses.ts'

type ChunkHit = Chunk & Hit
interface Shared extends KeptTogether {
  readonly source: ChunkSource
}

/** Searches the chunks of one source, wherever they are kept, or without a source all of them with one ranking. */
export async function searchSources(query: ChunkQuery, { keepers, ...uses }: SearchUses, call: Call): Promise<Found<Chunk>> {
  const { source, query: text = '', limit = 10, valid } = query
  const keeper = keepers.find((one) => one.source === source)
  const wanted = (hits: readonly ChunkHit[]): readonly ChunkHit[] => validFirst(valid ? hits.filter(isValid) : hits, limit)
  if (keeper) {
    const { hits, ...found } = await fromKeeper(keeper, query)
    return { ...found, hits: wanted(hits) }
  }
  if (source !== undefined || keepers.length === 0) return searchChunks(query, uses, call)
  if (text.trim() === '') return newestOfAll()
  const shared = keepers.flatMap(({ together, source }) => (together ? [{ ...together, source }] : []))
  const scopes = await Promise.all(shared.map((one) => one.scope(query)))
  const { limit: candidates } = chunkQuery(query)
  const alsoIn = shared.flatMap(({ corpus }, at) => {
    const scope = scopes[at]
    return scope === undefined ? [] : [{ ...scope, corpus, query: text, since: query.since, limit: candidates }]
  })
  const { hits, ...found } = await searchRecords(chunkQuery(query), uses, call, alsoIn)
  const best = wanted(await chunksOf(hits, shared, query, call))
  countUses(best, uses)
  return { ...found, hits: best }

  async function newestOfAll(): Promise<Found<Chunk>> {
    const [own, ...kept] = await Promise.all([searchChunks(query, uses, call), ...keepers.map((one) => fromKeeper(one, query))])
    const hits = [own, ...kept].flatMap((found) => found?.hits ?? [])
    const newest = hits.toSorted((a, b) => Number(isValid(b)) - Number(isValid(a)) || (a.createdAt < b.createdAt ? 1 : -1))
    return { mode: 'lexical', hits: (valid ? newest.filter(isValid) : newest).slice(0, limit) }
  }
}

async function fromKeeper(keeper: ChunkKeeper, query: ChunkQuery): Promise<Found<Chunk>> {
  const { hits, ...found } = await keeper.search(query)
  return { ...found, hits: hits.map((hit) => ({ ...hit, hash: contentHash(hit.content), source: keeper.source })) }
}

/** Returns the chunks of found records; a document that was found twice counts once. */
async function chunksOf(
  hits: readonly (Hit & { readonly record: MemoryRecord })[],
  shared: readonly Shared[],
  { repo }: ChunkQuery,
  call: Pick<Call, 'now'>,
): Promise<readonly ChunkHit[]> {
  const kept = new Map<string, KeptChunk & { readonly source: ChunkSource }>()
  for (const { corpus, chunks, source } of shared) {
    const ids = hits.filter(({ record }) => record.corpus === corpus).map(({ record }) => record.id.slice(corpus.length + 1))
    for (const [id, chunk] of ids.length === 0 ? [] : await chunks(ids)) kept.set(`${corpus}/${id}`, { ...chunk, source })
  }
  const reported = new Set<string>()
  return hits.flatMap(({ record, ...hit }): ChunkHit[] => {
    if (record.corpus === MEMORY) return [{ ...chunkOf(record, call.now(), repo), ...hit }]
    const own = kept.get(record.id)
    if (own === undefined || reported.has(own.chunkId)) return []
    reported.add(own.chunkId)
    const { weight, ...chunk } = own
    return [{ ...chunk, content: record.content, hash: record.hash, ...hit, score: Number((hit.score * weight).toFixed(6)) }]
  })
}
