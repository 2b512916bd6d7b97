import { defineContribution, defineService, type Transaction } from '@gateway/sdk'
import type { Chunk, ChunkSource } from './schema.ts'

export { type Chunk, type ChunkSource, MAX_CONTENT, type MemorySource } from './schema.ts'

// ------------------------------------------------------------- memory ----

/** A piece of text to remember. */
export interface ChunkDraft {
  /** At most `MAX_CONTENT` characters, in one chunk. `cutMarkdown` cuts what is longer. */
  readonly content: string
  readonly repo?: string | undefined
  readonly source?: ChunkSource | undefined
  readonly tags?: readonly string[] | undefined
  readonly sessionId?: string | undefined
  /** Shown with the chunk and found by its words, not part of the content or its hash. */
  readonly title?: string | undefined
  /** The headings it stands under, outermost first; as the title. */
  readonly headings?: readonly string[] | undefined
  /** When what it tells was so, ISO 8601; the time of storing unless given. */
  readonly createdAt?: string | undefined
}

/** `stored` is false when the content was there before: nothing was added. */
export interface StoredChunk {
  readonly chunkId: string
  readonly stored: boolean
}

/** Which list found a hit. `exact`: it holds an identifier or a phrase of the query as it is written. */
export type FoundBy = 'words' | 'vectors' | 'exact'
export interface Hit {
  /** Greater is nearer; comparable within one answer only. */
  readonly score: number
  readonly foundBy: readonly FoundBy[]
}
/**
 * State of the model when a search had to do without vectors. `loading`: it is starting, being fetched, or its vectors are being read, so
 * a later search has them. `absent`: its package or its files are not installed, or it does not start. `off`: a setting switches it off.
 * `ready`: it answers, but the texts have no vectors yet, or too many to be held.
 */
export type ModelState = 'loading' | 'absent' | 'off' | 'ready'
/** `lexical` while no vectors take part; `model` then says why, and `hint` which setting or command would give more. */
export interface Found<Item> {
  readonly mode: 'lexical' | 'hybrid'
  readonly model?: ModelState
  readonly hint?: string
  readonly hits: readonly (Item & Hit)[]
}

/** All given ones must hold. */
export interface ChunkFilter {
  readonly repo?: string | undefined
  readonly source?: ChunkSource | undefined
  /** Chunks that have all of them. */
  readonly tags?: readonly string[] | undefined
  /** Past session blocks only: archives, handoffs, session atoms, and what was stored with a session id. */
  readonly sessions?: boolean | undefined
  /** Not older than this, ISO 8601 date or time. */
  readonly since?: string | undefined
}
export interface ChunkQuery extends ChunkFilter {
  /** Without one, `tags` must be given: the newest chunks come. */
  readonly query?: string | undefined
  /** The repo the caller is in: a mild boost, no filter. */
  readonly nearRepo?: string | undefined
  /** 1 to 100. Default 10. */
  readonly limit?: number | undefined
}

export interface ContextRequest {
  readonly repo?: string | undefined
  /** Without one, the newest of each source come. */
  readonly query?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Chunks per source, 1 to 50. Default 5. */
  readonly limit?: number | undefined
  /** Bounds the block, at four characters a token. */
  readonly maxTokens?: number | undefined
}
export interface MemoryContext {
  /** One markdown block, ready to inject; '' when there is nothing. */
  readonly markdown: string
  readonly chunks: number
  readonly estimatedTokens: number
  readonly truncated: boolean
  readonly mode: 'lexical' | 'hybrid' | 'latest'
  /** Present while the mode is `lexical`, as in `Found`. */
  readonly model?: ModelState
}

/** What the tenant remembers, for other families: the way the tools themselves take. Limits of drafts are the caller’s to keep. */
export interface Memory {
  /** In the order of the drafts, which are neighbours of each other; at most 1,000. Durable and found by words when it resolves. */
  store(drafts: readonly ChunkDraft[]): Promise<readonly StoredChunk[]>
  /** One query over words and vectors: some milliseconds. */
  search(query: ChunkQuery): Promise<Found<Chunk>>
  /** The newest chunks first; at most 100. */
  latest(filter: ChunkFilter, limit: number): Promise<readonly Chunk[]>
  context(request: ContextRequest): Promise<MemoryContext>
  /**
   * Make `documents` all that comes from `origin` (`state:gateway`): what is new is cut and stored, what is the same stays, what is gone
   * goes, unless it also comes from elsewhere. No document at all removes the origin.
   */
  replaceOrigin(origin: string, documents: readonly MemoryDocument[]): Promise<OriginReplaced>
  /** Chunks, stopping at a bound; by repo and source. */
  stats(repo?: string): Promise<MemoryStats>
}
export const memory = defineService<Memory>('memory')

export interface OriginReplaced {
  readonly chunks: number
  readonly stored: number
  readonly removed: number
}
export interface MemoryStats {
  readonly total: number
  /** Those that have vectors. */
  readonly embedded: number
  readonly byRepo: Readonly<Record<string, number>>
  readonly bySource: Readonly<Record<string, number>>
}

// ------------------------------------------------- what reindex reads ----

/** A text of another family that the memory keeps in step with. */
export interface MemoryDocument {
  readonly markdown: string
  readonly repo?: string | undefined
  readonly source: ChunkSource
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly sessionId?: string | undefined
  readonly createdAt?: string | undefined
  /** `headings`: cut along all of them. `sections`: each level-2 section is one session block, with its own date if its heading has one. */
  readonly cut: 'headings' | 'sections'
}
/** Where documents come from: a file, or a branch of the brain. */
export interface MemoryOrigin {
  /** Stable, unique within the contributor: `gateway/state.md`. Its chunks go when it is no longer listed. */
  readonly origin: string
  readonly repo?: string | undefined
  read(): Promise<readonly MemoryDocument[]>
}
/** Takes part in memory_reindex. `master` is the master repo alone, `all` every repo; contributors without repos list the same for both. */
export interface MemoryContributor {
  /** `state`, `handoff`, `archive`, `brain`: the first part of the stored origins. */
  readonly name: string
  /** All origins there are now in the caller’s tenant. Those of `all` begin with those of `master`. */
  origins(scope: 'master' | 'all'): Promise<readonly MemoryOrigin[]>
}
export const memoryContributor = defineContribution<MemoryContributor>('memory.contributor')

// ------------------------------------- what searches find elsewhere ----

/** Chunks that another family keeps, under a source of their own: a search for that source is handed to it. */
export interface ChunkKeeper {
  readonly source: ChunkSource
  /** As `Memory.search`, of the caller’s tenant. `chunkId` is the family’s own id. */
  search(query: ChunkQuery): Promise<Found<Omit<Chunk, 'hash' | 'source'>>>
}
export const chunkKeeper = defineContribution<ChunkKeeper>('memory.chunk-keeper')

// ------------------------------------------------ the engine for others ----

/** A document of another family in the index: found by the same engine, kept apart from memory under the name of its corpus. */
export interface IndexedDocument {
  /** The family’s own id, unique in the corpus; at most 500 characters. */
  readonly id: string
  /** What is found, at most `MAX_CONTENT` characters: the index keeps it. */
  readonly text: string
  readonly title?: string | undefined
  readonly repo?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly createdAt: string
}
export interface CorpusQuery {
  readonly query: string
  readonly repo?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Documents that have one of them at least. */
  readonly anyTag?: readonly string[] | undefined
  readonly since?: string | undefined
  /** 1 to 1,000. Default 10. */
  readonly limit?: number | undefined
}
export interface CorpusWriter {
  /**
   * Add or replace; neighbours in the list are neighbours of each other, unless each stands `apart`. At most 1,000. Durable when it
   * resolves, or with its transaction.
   */
  put(documents: readonly IndexedDocument[], options?: { readonly apart?: boolean }): Promise<void>
  /** Those that were there. At most 1,000. */
  remove(ids: readonly string[]): Promise<number>
}
/** One corpus of the caller’s tenant. */
export interface Corpus extends CorpusWriter {
  /** Written together with what the family writes itself: the index never lacks what the family has. */
  in(tx: Transaction): CorpusWriter
  /** Everything of the corpus. */
  clear(): Promise<number>
  /** Which of these are there, as they are kept: to learn what has to be put. At most 1,000. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>
  search(query: CorpusQuery): Promise<Found<IndexedDocument>>
  stats(): Promise<{ readonly total: number; readonly embedded: number }>
}
export interface RecallIndex {
  /** kebab-case, by custom the family’s id (`brain`). `memory` is the memory’s own. */
  corpus(name: string): Corpus
}
export const recallIndex = defineService<RecallIndex>('memory.index')
