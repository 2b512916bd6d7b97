import type { ChunkQuery, Found } from '../api.ts'
import { contentHash } from '../rules/content-hash.ts'
import type { Chunk } from '../schema.ts'
import { searchChunks } from './search-chunks.ts'
import type { Call, SearchUses } from './uses.ts'

/** Searches the memory's own chunks, or those of the family that keeps the requested source. */
export async function searchSources(query: ChunkQuery, { keepers, ...uses }: SearchUses, call: Call): Promise<Found<Chunk>> {
  const keeper = keepers.find(({ source }) => source === query.source)
  if (!keeper) return searchChunks(query, uses, call)
  const { hits, ...found } = await keeper.search(query)
  return { ...found, hits: hits.map((hit) => ({ ...hit, hash: contentHash(hit.content), source: keeper.source })) }
}
