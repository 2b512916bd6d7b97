import { cutText, defined } from '@gateway/sdk'
import type { Chunk, Record } from '../schema.ts'

/** A record of memory as others see it. */
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

/** What an answer holds of all its chunks together, and of one. */
const MAX_ANSWER = 400_000
const MAX_SHOWN = 8_000

/** Chunks whose long contents are cut, so that an answer has an end: `truncated` says which. */
export function shown<C extends { readonly content: string }>(chunks: readonly C[]): readonly (C & { readonly truncated?: true })[] {
  const each = Math.min(MAX_SHOWN, Math.floor(MAX_ANSWER / Math.max(1, chunks.length)))
  return chunks.map((chunk) =>
    chunk.content.length <= each ? chunk : { ...chunk, content: cutText(chunk.content, each), truncated: true },
  )
}
