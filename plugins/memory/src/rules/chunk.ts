import { cutText, defined } from '@gateway/sdk'
import type { Chunk, MemoryRecord } from '../schema.ts'

/** Returns the public form of a record of memory: for a search in one of its other repos, as a chunk of that repo. */
export function chunkOf(record: MemoryRecord, now: Date, asked?: string): Chunk {
  const { id, content, hash, source = 'feature', tags, sessionId, title, headings, createdAt } = record
  const { occurredAt, validUntil, supersedes, origin, trust, alsoRepos = [] } = record
  const repo = asked !== undefined && alsoRepos.includes(asked) ? asked : record.repo
  return {
    chunkId: id,
    content,
    hash,
    ...defined({ repo }),
    source,
    tags,
    ...defined({ sessionId, title, headings }),
    createdAt,
    ...defined({ occurredAt, validUntil, supersedes, origin, trust }),
    ...(record.supersededBy !== undefined && { superseded: true }),
    ...(isExpired(record, now) && { expired: true }),
  }
}

export function isExpired({ validUntil }: Pick<MemoryRecord, 'validUntil'>, now: Date): boolean {
  return validUntil !== undefined && validUntil <= now.toISOString()
}

export function isValid({ superseded, expired }: Pick<Chunk, 'superseded' | 'expired'>): boolean {
  return superseded !== true && expired !== true
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
