import { cutText, defined } from '@gateway/sdk'
import type { Chunk, Record } from '../schema.ts'

/** Returns the public form of a record of memory. */
export function chunkOf({ id, content, hash, repo, source = 'feature', tags, sessionId, title, headings, createdAt }: Record): Chunk {
  return {
    chunkId: id,
    content,
    hash,
    ...defined({ repo }),
    source,
    tags,
    ...defined({ sessionId, title, headings }),
    createdAt,
  }
}

/** Maximum characters of all chunks in an answer, and of one chunk. */
const MAX_ANSWER = 400_000
const MAX_SHOWN = 8_000

/** Cuts long contents, so that the size of an answer is limited: `truncated` marks the cut chunks. */
export function shown<C extends { readonly content: string }>(chunks: readonly C[]): readonly (C & { readonly truncated?: true })[] {
  const each = Math.min(MAX_SHOWN, Math.floor(MAX_ANSWER / Math.max(1, chunks.length)))
  return chunks.map((chunk) =>
    chunk.content.length <= each ? chunk : { ...chunk, content: cutText(chunk.content, each), truncated: true },
  )
}
