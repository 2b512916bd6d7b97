import { defined } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import type { ChunkDraft, StoredChunk } from '../api.ts'
import type { Entry } from '../rules/bundle.ts'
import { chunkIdOf, contentHash } from '../rules/content-hash.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { hashesOf, tombstoneKey } from '../rules/tombstones.ts'
import { withoutTombstones } from './remembered.ts'
import { usePatterns } from './use-patterns.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, insertAlone, insertNew, type Writing } from './write.ts'

/** Builds a record without secrets, its id from its content. `storedAs` rises within the list. */
export function writingOf(draft: ChunkDraft, call: Call, now: Date, kept: boolean): Writing {
  const content = redactText(draft.content)
  const { repo, source = 'feature', tags, sessionId, title, headings, occurredAt, validUntil, supersedes, origin } = draft
  const { createdAt = occurredAt ?? now.toISOString() } = draft
  const id = chunkIdOf(contentHash(content))
  const place = { repo, source, tags, sessionId, title, headings }
  const outside = origin === undefined ? {} : { origin, trust: 'outside' as const }
  const times = { createdAt, occurredAt, validUntil, supersedes }
  return { id, corpus: MEMORY, content, ...place, ...times, ...outside, storedAs: call.newId(''), kept }
}

/**
 * Stores chunks that stay without a file. An existing one gets the repo, tags and session of the draft too, and a pattern counts
 * as seen once more. A content that was forgotten and is stored again is remembered again.
 */
export function storeChunks(drafts: readonly ChunkDraft[], uses: MemoryUses, call: Call): Promise<readonly StoredChunk[]> {
  return remember(
    drafts.map((draft) => writingOf(draft, call, call.now(), true)),
    uses,
    call,
  )
}

/**
 * Stores chunks that a program records by itself, such as a transcript. What was forgotten is left out: a part that is sent again
 * must not bring it back.
 */
export async function recordChunks(drafts: readonly ChunkDraft[], uses: MemoryUses, call: Call): Promise<readonly StoredChunk[]> {
  const blocks = drafts.map((draft) => ({ draft, repo: draft.repo, text: redactText(draft.content) }))
  const left = (await withoutTombstones(blocks, uses)).filter(({ text }) => text !== '')
  if (left.length === 0) return []
  return store(
    left.map(({ draft, text }) => writingOf({ ...draft, content: text }, call, call.now(), true)),
    uses,
    call,
  )
}

/** Stores chunks of an export as they were. */
export function restoreChunks(entries: readonly Entry[], uses: MemoryUses, call: Call): Promise<readonly StoredChunk[]> {
  const writings = entries.map((entry) => {
    const { alsoRepos, alsoSessions, supersededBy } = entry
    const more = { alsoRepos: alsoRepos && [...alsoRepos], alsoSessions: alsoSessions && [...alsoSessions], supersededBy }
    return { ...writingOf(entry, call, call.now(), true), ...defined(more), restored: true }
  })
  return remember(writings, uses, call)
}

async function remember(writings: readonly Writing[], uses: MemoryUses, call: Call): Promise<readonly StoredChunk[]> {
  await withdrawTombstones(writings, uses)
  return store(writings, uses, call)
}

async function store(writings: readonly Writing[], uses: MemoryUses, call: Call): Promise<readonly StoredChunk[]> {
  const [one] = writings
  if (writings.length === 1 && one?.supersedes === undefined && one && (await insertAlone(one, uses, call))) {
    afterWrite(uses, call, { added: 1 })
    return [{ chunkId: one.id, stored: true }]
  }
  const fresh = await uses.atomically(async (tx) => {
    const fresh = await insertNew(writings, uses, tx)
    await usePatterns(
      writings.filter(({ id, source }) => source === 'pattern' && !fresh.has(id)).map(({ id }) => id),
      uses,
      tx,
    )
    return fresh
  })
  afterWrite(uses, call, { added: fresh.size })
  const reported = new Set<string>()
  return writings.map(({ id }) => {
    const stored = fresh.has(id) && !reported.has(id)
    reported.add(id)
    return { chunkId: id, stored }
  })
}

const KEYS_PER_CALL = 500

async function withdrawTombstones(writings: readonly Writing[], { forgotten }: MemoryUses): Promise<void> {
  if ((await forgotten.count({}, { max: 1 })) === 0) return
  for (const { content, repo } of writings) {
    const { texts: hashes } = hashesOf(content)
    const keys = repo === undefined ? hashes : hashes.flatMap((hash) => [hash, tombstoneKey(hash, repo)])
    for (let from = 0; from < keys.length; from += KEYS_PER_CALL)
      await forgotten.deleteMany({ hash: { in: keys.slice(from, from + KEYS_PER_CALL) } })
  }
}
