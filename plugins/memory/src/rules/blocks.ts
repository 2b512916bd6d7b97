import type { FoundBy } from '../api.ts'
import type { Chunk } from '../schema.ts'

/** Its `chunkId` is that of the chunk that was found first. */
export type SessionBlock = Omit<HitChunk, 'hash' | 'headings'>
type HitChunk = Chunk & { readonly score: number; readonly foundBy: readonly FoundBy[] }

/** Groups chunks into their session blocks, in the order of their best. A block shows the parts that were found. */
export function blocksOf(hits: readonly HitChunk[], k: number): readonly SessionBlock[] {
  const groups = new Map<string, HitChunk[]>()
  for (const hit of hits) {
    const key = blockKey(hit)
    groups.set(key, [...(groups.get(key) ?? []), hit])
  }
  return [...groups.values()].slice(0, k).map((chunks) => {
    const { content: _content, hash: _hash, headings = [], title, ...best } = chunks[0] as HitChunk
    const place = [title, ...headings].filter(Boolean).join(' > ')
    return { ...best, ...(place !== '' && { title: place }), content: chunks.map(({ content }) => content).join('\n\n…\n\n') }
  })
}

/** Pieces under one heading of one file share a block; a chunk without a heading is its own block. */
function blockKey({ repo, source, title, headings, createdAt, chunkId }: Chunk): string {
  return headings === undefined ? chunkId : JSON.stringify([repo, source, title, headings, createdAt])
}
