import type { Answers, Question } from './questions.ts'

/** Part of the stored state of a repo, by its number. */
export type Shard = readonly [number: number, data: string]

export interface Ask {
  readonly id: number
  readonly root: string
  readonly question: Question
  /** The stored state of the repo, once the helper has asked for it. */
  readonly shards?: readonly Shard[]
  /** Files that crashed a helper before: they are not read again while they are unchanged. */
  readonly poison: readonly string[]
}

/** Unreadable files that an answer names. */
export const MAX_PATHS = 20

export interface Extent {
  readonly files: number
  /** Files that the parser refuses, or that are too large. */
  readonly unreadable: number
  /** The first of them by path. */
  readonly unreadablePaths: string[]
  /** Sources in languages whose imports are not read. */
  readonly otherSources: number
  /** False where a limit was met and further files are left out, or where there are other sources. */
  readonly complete: boolean
}

/** Files read so far, of those that are new or have changed. */
export interface Progress {
  readonly read: number
  readonly files: number
}

export type Told =
  | { readonly id: number; readonly needsShards: true }
  | { readonly id: number; readonly answer: Answers[Question['kind']]; readonly extent: Extent; readonly shards: readonly Shard[] }
  | { readonly id: number; readonly error: string }
  /** Sent while the files of a repo are read for a question. */
  | { readonly id: number; readonly progress: Progress }
  /** Sent before a file is read, in case the parser does not survive it. */
  | { readonly reading: string }
