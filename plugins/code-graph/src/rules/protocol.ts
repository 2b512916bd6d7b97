import type { Answers, Question } from './questions.ts'

/** Part of what is kept of a repo, by its number. */
export type Shard = readonly [number: number, data: string]

/** To the helper. */
export interface Ask {
  readonly id: number
  readonly root: string
  readonly question: Question
  /** What is kept of the repo, once the helper has asked for it. */
  readonly shards?: readonly Shard[]
  /** Files that ended a helper before: they are not read again while they are as they were. */
  readonly poison: readonly string[]
}

/** How much of a repo the graph holds. */
export interface Extent {
  readonly files: number
  /** Files that could not be read: too large, or no code of their language. */
  readonly unreadable: number
  /** False where a bound was met, and further files are left out. */
  readonly complete: boolean
}

/** From the helper. */
export type Told =
  | { readonly id: number; readonly needsShards: true }
  | { readonly id: number; readonly answer: Answers[Question['kind']]; readonly extent: Extent; readonly shards: readonly Shard[] }
  | { readonly id: number; readonly error: string }
  /** Said before a file is read, for if the parser does not survive it. */
  | { readonly reading: string }
