import { defineService } from '@gateway/sdk'

/** The length of a vector of all-MiniLM-L6-v2. */
export const DIMENSIONS = 384

/**
 * `off`: switched off by a setting. `unavailable`: the package or the model is not there, or the process of the model
 * does not stay alive; `reason` says which, and `remedy` what to do. `fetching`: the model is on its way. `ready`: `embed` answers.
 */
export interface EmbeddingsStatus {
  readonly state: 'off' | 'unavailable' | 'fetching' | 'ready'
  readonly model: string
  readonly dimensions: number
  /** Whether the process of the model runs now; it starts with the first text and ends when it is not used. */
  readonly running: boolean
  readonly reason?: string
  /** The setting or command that gives more. */
  readonly remedy?: string
  /** The variable that `remedy` names, if it is one. */
  readonly setting?: string
  /** While fetching: how much of it is there, 0 to 1. */
  readonly progress?: number
}

/**
 * Sentence vectors, made by a model on this machine. For all tenants alike: nothing of a text is kept but the vectors of the
 * latest queries, in memory.
 */
export interface Embeddings {
  /** At no price: nothing is started or read. */
  status(): EmbeddingsStatus
  /**
   * One vector of length 1 for each text, in their order; at most 256 texts. A short text takes about a millisecond, one of 200
   * words twenty, the first ones the start of the process. Texts of a `query` go before all others and are remembered.
   * Throws UNAVAILABLE unless the state is `ready`, and when the caller’s signal ends the wait.
   */
  embed(texts: readonly string[], options?: { readonly query?: boolean; readonly signal?: AbortSignal }): Promise<readonly Float32Array[]>
  /** No query is remembered any more. */
  forgetQueries(): void
}
export const embeddings = defineService<Embeddings>('embeddings', 'process')
