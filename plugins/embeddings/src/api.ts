import { defineService } from '@gateway/sdk'

/** The length of a vector of all-MiniLM-L6-v2. */
export const DIMENSIONS = 384

/**
 * `off`: disabled by a setting. `unavailable`: the package or the model is missing, or the model's process does not stay alive;
 * `reason` says which, and `remedy` what to do. `fetching`: the model is being fetched. `ready`: `embed` answers.
 */
export interface EmbeddingsStatus {
  readonly state: 'off' | 'unavailable' | 'fetching' | 'ready'
  readonly model: string
  readonly dimensions: number
  /** True while the model's process runs; it starts with the first text and ends when it is not used. */
  readonly running: boolean
  readonly reason?: string
  /** Setting or command that improves the state. */
  readonly remedy?: string
  /** Variable that `remedy` names, if it is one. */
  readonly setting?: string
  /** While fetching: the share that is complete, 0 to 1. */
  readonly progress?: number
}

/**
 * Sentence vectors, made by a model on this machine and shared by all tenants: only the vectors of the latest queries are kept,
 * in memory.
 */
export interface Embeddings {
  /** Costs nothing: starts and reads nothing. */
  status(): EmbeddingsStatus
  /**
   * Returns one vector of length 1 for each text, in their order; at most 256 texts. A short text takes about a millisecond,
   * one of 200 words twenty; the first texts also wait for the process to start. Texts of a `query` go before all others and
   * are cached. Throws UNAVAILABLE unless the state is `ready`, and when the caller's signal ends the wait.
   */
  embed(texts: readonly string[], options?: { readonly query?: boolean; readonly signal?: AbortSignal }): Promise<readonly Float32Array[]>
  forgetQueries(): void
}
export const embeddings = defineService<Embeddings>('embeddings', 'process')
