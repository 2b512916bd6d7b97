import { defineContribution, defineService, type Transaction } from '@gateway/sdk'
import type { Chunk, ChunkSource } from './schema.ts'

export { forPrompt } from './rules/outside.ts'
export { shareOfWords } from './rules/share-of-words.ts'
export { type ForgottenText, forgottenText, textWithout } from './rules/text-without.ts'
export { type Chunk, type ChunkSource, MAX_CONTENT, type MemorySource } from './schema.ts'

export interface ChunkDraft {
  /** At most `MAX_CONTENT` characters, in one chunk. `cutMarkdown` cuts longer text. */
  readonly content: string
  readonly repo?: string | undefined
  readonly source?: ChunkSource | undefined
  readonly tags?: readonly string[] | undefined
  readonly sessionId?: string | undefined
  /** Shown with the chunk and found by its words, not part of the content or its hash. */
  readonly title?: string | undefined
  /** Headings above the text, outermost first; treated like the title. */
  readonly headings?: readonly string[] | undefined
  /** Time at which the content was true, ISO 8601; defaults to the time of storing. */
  readonly createdAt?: string | undefined
  /** When the content happened or held, ISO 8601; it then counts as `createdAt`. */
  readonly occurredAt?: string | undefined
  /** End of its validity, ISO 8601. The chunk is then expired. */
  readonly validUntil?: string | undefined
  /** Id of the chunk that this one replaces. */
  readonly supersedes?: string | undefined
  /** Origin of text from outside the fleet, such as `code-hosting`: the chunk then has the lowest trust. */
  readonly origin?: string | undefined
}

/** `stored` is false when the content existed before: its repo, tags and session were joined to it. */
export interface StoredChunk {
  readonly chunkId: string
  readonly stored: boolean
}

/** The list that found a hit. `exact`: it holds an identifier or a phrase of the query as it is written. */
export type FoundBy = 'words' | 'vectors' | 'exact'
export interface Hit {
  /** Greater is nearer; comparable within one answer only. */
  readonly score: number
  readonly foundBy: readonly FoundBy[]
}
/**
 * State of the model when a search ran without vectors. `loading`: it is starting, being fetched, or its vectors are being
 * read, so a later search has them. `absent`: its package or its files are not installed, or it does not start. `off`: a
 * setting disables it. `ready`: it answers, but the texts have no vectors yet, or too many to be held.
 */
export type ModelState = 'loading' | 'absent' | 'off' | 'ready'
/**
 * `lexical` while no vectors take part; `model` then gives the reason, and `hint` the setting or command that would improve it.
 */
export interface Found<Item> {
  readonly mode: 'lexical' | 'hybrid'
  readonly model?: ModelState
  readonly hint?: string
  readonly hits: readonly (Item & Hit)[]
}

/** All given conditions must hold. */
export interface ChunkFilter {
  readonly repo?: string | undefined
  readonly source?: ChunkSource | undefined
  /** Chunks that have all of them. */
  readonly tags?: readonly string[] | undefined
  /** Only past session blocks: archives, handoffs, session atoms, and chunks stored with a session id. */
  readonly sessions?: boolean | undefined
  /** Not older than this, ISO 8601 date or time. */
  readonly since?: string | undefined
  /** Leaves out superseded and expired chunks. Otherwise they rank below valid ones, and are marked. */
  readonly valid?: boolean | undefined
}
export interface ChunkQuery extends ChunkFilter {
  /** Without a query, `tags` is required and the newest chunks are returned. */
  readonly query?: string | undefined
  /** Repo of the caller: a mild boost, no filter. */
  readonly nearRepo?: string | undefined
  /** 1 to 100. Default 10. */
  readonly limit?: number | undefined
}

export interface ContextRequest {
  readonly repo?: string | undefined
  /** Without a query, the newest of each source are returned. */
  readonly query?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Chunks per source, 1 to 50. Default 5. */
  readonly limit?: number | undefined
  /** Limits the block, at four characters a token. */
  readonly maxTokens?: number | undefined
}
export interface MemoryContext {
  /** A single Markdown block, ready to inject; '' when there is nothing. */
  readonly markdown: string
  readonly chunks: number
  readonly estimatedTokens: number
  readonly truncated: boolean
  readonly mode: 'lexical' | 'hybrid' | 'latest'
  /** Present while the mode is `lexical`, see `Found`. */
  readonly model?: ModelState
}

/**
 * The tenant's memory for other families, with the same operations as the tools. The caller must respect the limits of drafts.
 */
export interface Memory {
  /**
   * Stores drafts, neighbours of each other, and answers in their order; at most 1,000. Durable and found by words when it
   * resolves.
   */
  store(drafts: readonly ChunkDraft[]): Promise<readonly StoredChunk[]>
  /** Runs one query over words and vectors: some milliseconds. */
  search(query: ChunkQuery): Promise<Found<Chunk>>
  /** Returns the newest chunks first; at most 100. */
  latest(filter: ChunkFilter, limit: number): Promise<readonly Chunk[]>
  context(request: ContextRequest): Promise<MemoryContext>
  /**
   * Makes `documents` the whole content of `origin` (`state:gateway`): new chunks are stored, unchanged ones stay, missing ones
   * are removed unless they also come from elsewhere. An empty list removes the origin.
   */
  replaceOrigin(origin: string, documents: readonly MemoryDocument[]): Promise<OriginReplaced>
  /** Counts chunks by repo and source, up to a limit. */
  stats(repo?: string): Promise<MemoryStats>
  /**
   * Notes durably that an origin (`state:gateway/STATE.md`) is about to change. Call it before the change; `refreshOrigin` after
   * it, or within a minute a job, reads the origin through its contributor.
   */
  originChanges(origin: string): Promise<void>
  /** Reads one origin through its contributor and indexes it. A failure is logged; the job tries again. */
  refreshOrigin(origin: string): Promise<void>
  /** Writes in the caller's own transaction, so that no kill can separate a record from its chunks. */
  in(tx: Transaction): MemoryWriter
}
export interface MemoryWriter {
  /** Adds documents to an origin; chunks of before stay. At most some hundred chunks. */
  addToOrigin(origin: string, documents: readonly MemoryDocument[]): Promise<void>
}
export const memory = defineService<Memory>('memory')

export interface OriginReplaced {
  readonly chunks: number
  readonly stored: number
  readonly removed: number
}
export interface MemoryStats {
  readonly total: number
  /** Number of chunks that have vectors. */
  readonly embedded: number
  readonly byRepo: Readonly<Record<string, number>>
  readonly bySource: Readonly<Record<string, number>>
}

/** A text of another family that the memory keeps in step with. */
export interface MemoryDocument {
  readonly markdown: string
  readonly repo?: string | undefined
  readonly source: ChunkSource
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly sessionId?: string | undefined
  readonly createdAt?: string | undefined
  /** Outside origin of the text, see `ChunkDraft`. */
  readonly outside?: string | undefined
  /**
   * `headings`: cut at all headings. `sections`: each level-2 section is one session block, with its own date if its heading has
   * one.
   */
  readonly cut: 'headings' | 'sections'
}
/** Source of documents: a file, or a branch of the brain. */
export interface MemoryOrigin {
  /** Stable, unique within the contributor: `gateway/state.md`. Its chunks are removed when it no longer exists. */
  readonly origin: string
  readonly repo?: string | undefined
  read(): Promise<readonly MemoryDocument[]>
  /** Changes whenever the text does, without reading it. An origin without a stamp is read by `memory_reindex` alone. */
  stamp?(): Promise<string | undefined>
}
export interface MemoryOriginPage {
  readonly origins: readonly MemoryOrigin[]
  /** Last name that the page looked at; absent on the last page. */
  readonly next?: string
}
/**
 * Takes part in memory_reindex. `master` means the master repo alone, `all` every repo; contributors without repos list the same
 * for both.
 */
export interface MemoryContributor {
  /** `state`, `handoff`, `archive`, `brain`: the first part of the stored origins. */
  readonly name: string
  /**
   * Lists all current origins of the caller's tenant. The list for `all` begins with the list for `master`. Without it, the
   * family indexes each record as it is written, and a reindex leaves them alone.
   */
  origins?(scope: 'master' | 'all'): Promise<readonly MemoryOrigin[]>
  /**
   * Returns one origin by its name, whether or not it exists yet, and whether or not the list has it: its chunks leave the index
   * when its documents are gone. Without it, the list decides.
   */
  origin?(name: string): Promise<MemoryOrigin | undefined>
  /**
   * Lists the origins that come after a name, in the order of their names, for a family that has too many for one list and indexes
   * each record as it is written. A reindex of `all` reads every page, and a job reads them once, for records of earlier versions.
   */
  page?(after?: string): Promise<MemoryOriginPage>
  /** Brings an index that the family keeps itself up to date; returns the number of its changed documents. */
  refreshIndex?(): Promise<{ readonly origin: string; readonly documents: number; readonly changed: number }>
  /**
   * Removes forgotten chunks from records that the family keeps in the store. `origin` is the contributor's own name of it. Files
   * outside the store stay; resolves with true if no such file has the text.
   */
  forget?(origin: string, chunks: readonly Pick<Chunk, 'content'>[]): Promise<boolean | undefined>
}
export const memoryContributor = defineContribution<MemoryContributor>('memory.contributor')

/** Chunks that another family keeps, under their own source: a search for that source is passed to the family. */
export interface ChunkKeeper {
  readonly source: ChunkSource
  /** Same as `Memory.search`, for the caller's tenant. `chunkId` is the family's own id. */
  search(query: ChunkQuery): Promise<Found<Omit<Chunk, 'hash' | 'source'>>>
  /** Lets a search over all sources rank the family's documents among the chunks. Without it they are found by source alone. */
  readonly together?: KeptTogether
  /** Forgets one of its chunks for good; false when the caller sees no such chunk. */
  forgetOne?(chunkId: string): Promise<boolean>
  /** Forgets matching chunks, or with `preview` counts them. */
  forget?(filter: ForgetFilter, preview: boolean): Promise<number>
}
export interface KeptTogether {
  readonly corpus: string
  /** Tags that narrow the corpus to what this caller may see and asks for; `undefined` when there is nothing. */
  scope(query: ChunkQuery): Promise<{ readonly tags?: readonly string[]; readonly anyTag?: readonly string[] } | undefined>
  /** Chunks of documents that were found, by their ids; ids that are gone are left out. */
  chunks(ids: readonly string[]): Promise<ReadonlyMap<string, KeptChunk>>
}
/** The fields of a chunk that its document does not have, and a factor of its score. */
export interface KeptChunk extends Omit<Chunk, 'hash' | 'source' | 'content'> {
  readonly weight: number
}
/** Conditions that must all hold; at least one is given. */
export interface ForgetFilter {
  /** Chunks that contain all of its words. */
  readonly query?: string | undefined
  /** Chunks that have all of them. */
  readonly tags?: readonly string[] | undefined
  readonly repo?: string | undefined
  readonly source?: ChunkSource | undefined
  /** Chunks that occurred, or else were stored, before this time (ISO 8601, UTC). */
  readonly before?: string | undefined
}
export const chunkKeeper = defineContribution<ChunkKeeper>('memory.chunk-keeper')

/** A document of another family in the index: found by the same engine, kept apart from memory under the name of its corpus. */
export interface IndexedDocument {
  /** The family's own id, unique in the corpus; at most 500 characters. */
  readonly id: string
  /** Text that is found, at most `MAX_CONTENT` characters: the index keeps it. */
  readonly text: string
  readonly title?: string | undefined
  readonly repo?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Further tags to filter by, which are not found as words and not returned. */
  readonly marks?: readonly string[] | undefined
  readonly createdAt: string
}
export interface CorpusQuery {
  readonly query: string
  readonly repo?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Documents with at least one of these tags. */
  readonly anyTag?: readonly string[] | undefined
  readonly since?: string | undefined
  /** Only documents that have all words of the query; vectors take no part. */
  readonly all?: boolean | undefined
  /** 1 to 1,000. Default 10. */
  readonly limit?: number | undefined
}
export interface CorpusWriter {
  /**
   * Adds or replaces documents; neighbours in the list are neighbours of each other, unless `apart` is set. At most 1,000.
   * Durable when it resolves, or with its transaction.
   */
  put(documents: readonly IndexedDocument[], options?: { readonly apart?: boolean }): Promise<void>
  /** Returns how many existed. At most 1,000. */
  remove(ids: readonly string[]): Promise<number>
}
/** A corpus of the caller's tenant. */
export interface Corpus extends CorpusWriter {
  /** Writes in the family's own transaction, so that the index never lacks what the family has. */
  in(tx: Transaction): CorpusWriter
  clear(): Promise<number>
  /** Returns which of these ids are stored, to learn what has to be put. At most 1,000. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>
  search(query: CorpusQuery): Promise<Found<IndexedDocument>>
  stats(): Promise<{ readonly total: number; readonly embedded: number }>
}
export interface RecallIndex {
  /** In kebab-case, by custom the family's id (`brain`). `memory` is the memory's own. */
  corpus(name: string): Corpus
}
export const recallIndex = defineService<RecallIndex>('memory.index')
