import { defined } from '@gateway/sdk'
import type { ContextRequest, MemoryContext } from '../api.ts'
import { CHARACTERS_A_TOKEN, CONTEXT_SECTIONS, contextBlock } from '../rules/context-block.ts'
import type { Chunk } from '../schema.ts'
import { latestChunks, searchChunks } from './search-chunks.ts'
import { searchSources } from './search-sources.ts'
import type { Call, SearchUses } from './uses.ts'

/**
 * Returns recent state, the handoff and related patterns; with a query, the nearest of each and of everything else, the atoms of
 * the brain included. Superseded and expired chunks are left out.
 */
export async function assembleContext(request: ContextRequest, uses: SearchUses, call: Call): Promise<MemoryContext> {
  const { repo, query, tags, limit = 5, maxTokens } = request
  const isAsked = query !== undefined && query.trim() !== ''
  let mode: MemoryContext['mode'] = 'latest'
  let model: MemoryContext['model']
  const found = async (source?: Chunk['source']): Promise<readonly Chunk[]> => {
    if (!isAsked) return latestChunks({ repo, source, tags, valid: true }, limit, uses, call)
    const answer = await searchSources({ query, repo, source, tags, limit, valid: true }, uses, call)
    ;({ mode, model } = answer)
    return answer.hits
  }
  const sections = await Promise.all(CONTEXT_SECTIONS.map(async ({ title, source }) => ({ title, chunks: [...(await found(source))] })))
  // A pattern without a repo applies to all of them.
  const patterns = sections.find(({ title }) => title === 'Patterns')
  if (patterns && repo !== undefined && patterns.chunks.length < limit) await addFromElsewhere(patterns.chunks, limit)
  const known = new Set(sections.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId)))
  const others = isAsked ? (await found()).filter(({ chunkId }) => !known.has(chunkId)) : []
  const block = contextBlock(repo, [...sections, { title: 'Related', chunks: others }], maxTokens && maxTokens * CHARACTERS_A_TOKEN)
  return { ...block, estimatedTokens: Math.ceil(block.markdown.length / CHARACTERS_A_TOKEN), mode, ...defined({ model }) }

  async function addFromElsewhere(chunks: Chunk[], limit: number): Promise<void> {
    const more = isAsked
      ? (await searchChunks({ query, source: 'pattern', tags, limit, nearRepo: repo, valid: true }, uses, call)).hits
      : await latestChunks({ source: 'pattern', tags, valid: true }, limit, uses, call)
    for (const chunk of more) {
      if (chunks.length < limit && !chunks.some(({ chunkId }) => chunkId === chunk.chunkId)) chunks.push(chunk)
    }
  }
}
