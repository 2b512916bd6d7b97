import type { Readable, Writable } from 'node:stream'
import { defineError, defineService, Type } from '@gateway/sdk'

/** A full object id: 40 lower-case hex digits. */
export type Oid = string
/** A full ref name below one of `refs/heads/`, `refs/anchors/`: see `rules/names.ts`. Nothing else is read or written. */
export type RefName = string

/** Put a file, or take one away; `blob` puts one that is in the repository already. Paths as in `rules/names.ts`. */
export type FileChange =
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly blob: Oid }
  | { readonly path: string; readonly removed: true }

/** One commit to be made on top of its ref, or, if there is none yet, as its root. */
export interface NewCommit {
  readonly ref: RefName
  readonly message: string
  /** Shown as author and committer; characters that git gives a meaning are left out. */
  readonly author: { readonly name: string; readonly email: string }
  readonly at: Date
  readonly files: readonly FileChange[]
  /** Begin from this tree instead of the parent’s. */
  readonly tree?: Oid | undefined
  /** A further parent: the commit is a merge. */
  readonly merges?: Oid | undefined
}

/** A ref as it was and as it is to be; `undefined` is “not there”. Refused as a whole when one of them is another by now. */
export interface RefChange {
  readonly ref: RefName
  readonly from: Oid | undefined
  /** `{ commit: n }`: the n-th commit of the same write. */
  readonly to: Oid | { readonly commit: number } | undefined
}

/** Commits, in order, and what else changes with them: all of it or none. */
export interface Write {
  readonly commits: readonly NewCommit[]
  /** Where the refs of the commits stood when the write was decided on. A ref that is not named must not exist. */
  readonly tips: ReadonlyMap<RefName, Oid>
  readonly refs?: readonly RefChange[] | undefined
}
export type Written =
  | { readonly written: true; readonly commits: readonly Oid[] }
  /** A ref was moved by someone else meanwhile: read it and decide anew. Nothing was changed. */
  | { readonly written: false }

export interface Tip {
  readonly ref: RefName
  readonly oid: Oid
}
export interface CommitLine {
  readonly sha: Oid
  readonly parents: readonly Oid[]
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly subject: string
}
export interface PathChange {
  /** As git says it: A added, M modified, D deleted, T type changed. */
  readonly status: 'A' | 'M' | 'D' | 'T'
  readonly path: string
  /** What is there afterwards; of a deletion, what was there. */
  readonly blob: Oid
}
/** A commit and what it changed against its first parent; a merge shows `changes` only with `merges: true`. */
export interface CommitChanges extends CommitLine {
  readonly changes: readonly PathChange[]
}
export interface LogQuery {
  readonly to: Oid
  /** Leave out what this commit knows. */
  readonly from?: Oid | undefined
  readonly path?: string | undefined
  /** 1 to 10,000. */
  readonly limit: number
}
export interface DiffQuery {
  readonly from: Oid
  readonly to: Oid
  readonly path?: string | undefined
  /** So many characters of patch; 0 for none. */
  readonly patchCharacters: number
  /** So many files; the figures count all of them. */
  readonly maxFiles: number
}
export interface Diff {
  readonly files: readonly { readonly status: string; readonly path: string; readonly insertions: number; readonly deletions: number }[]
  readonly filesChanged: number
  readonly insertions: number
  readonly deletions: number
  readonly patch?: string
  readonly patchTruncated?: boolean
}
export type Merged = { readonly clean: true; readonly tree: Oid } | { readonly clean: false; readonly conflicts: readonly string[] }

/** What a push wants; `from` or `to` is `undefined` where the ref is made or deleted. */
export interface PushedRef {
  readonly ref: string
  readonly from: Oid | undefined
  readonly to: Oid | undefined
}
/** The object folder of a push that is not accepted yet (`GIT_QUARANTINE_PATH`), and its size on the disk. */
export interface Quarantine {
  readonly objects: string
  readonly bytes: number
}
/** What a client of git’s smart HTTP protocol asks of a repository. */
export interface PackRequest {
  readonly service: 'upload-pack' | 'receive-pack'
  /** The refs alone, as `info/refs` has them; else what the client sends is answered. */
  readonly advertise: boolean
  /** The client’s `Git-Protocol`. */
  readonly protocol?: string | undefined
  /** A push of more bytes is broken off. */
  readonly maxBytes?: number | undefined
  /** Called for each piece of a push as it arrives; a returned sentence, for the client’s screen, breaks the push off. */
  readonly takeRoom?: ((bytes: number) => string | undefined) | undefined
  /** Asked before refs move, when all that was pushed is there, in quarantine: why it is refused, as a sentence for the client’s screen. */
  readonly judge?: ((refs: readonly PushedRef[], quarantine: Quarantine) => Promise<string | undefined>) | undefined
  readonly signal: AbortSignal
}

/** A file that a pushed commit adds, changes or removes. */
export interface PushedChange extends PathChange {
  /** As git writes it: `100644` is a plain file. */
  readonly mode: string
  /** Bytes of a plain file that comes; absent for all others. */
  readonly size?: number
  /** How a plain file that comes begins, where it is not too large. */
  readonly text?: string
  /** Whether main, or a ref before the push, has a file at this path; known of what is changed or removed. */
  readonly stood?: boolean
}
/** A commit that no ref had before; of a merge, what differs from all of its parents. */
export interface PushedCommit {
  readonly sha: Oid
  readonly changes: readonly PushedChange[]
}
export interface PushedReading {
  /** Bytes of a text that are read. */
  readonly textBytes: number
  /** Files that are larger are not read at all. */
  readonly maxBytes: number
}
/** What a push does to one ref. */
export interface PushedRefFacts extends PushedRef {
  /** Whether the new tip descends from the old one, and from `main` where the ref is main. */
  readonly descends: boolean
  /** Files there were that are changed or gone at its new tip; of a branch that is deleted, those that main has not. */
  readonly rewritten: readonly PathChange[]
  /** There are more of them than are shown, at most 20,000: what is not shown cannot be judged. */
  readonly truncated: boolean
}

export interface Usage {
  /** On the disk: packs, loose objects, refs. */
  readonly bytes: number
  readonly packs: number
}

/**
 * One bare repository. Nothing is started or made before a method other than `exists` is called; reads of one that is not there
 * find nothing. Reads go by object ids: no text of a caller is given to git where it could be an option, an expression or a path
 * of the machine.
 *
 * A write resolves when its objects and refs are on the disk. Writes of one repository run one after another, reads beside them.
 * Throws UNAVAILABLE when git is missing or too old, when too much waits, and when the helper died under a write (whose outcome is
 * then to be read from the refs).
 */
export interface Repository {
  readonly folder: string
  /** One look at the file system. */
  exists(): Promise<boolean>
  /** Make it with `first` as the root of its main, unless it is there. */
  create(first: NewCommit): Promise<void>
  /** Delete it with all it holds. */
  remove(): Promise<void>
  /** Where these refs stand now, in their order. No process is started: the price of a few file reads. */
  tips(refs: readonly RefName[]): Promise<readonly (Oid | undefined)[]>
  /** All branches and anchors. */
  refs(): Promise<readonly Tip[]>
  /** The commit of an id or of an unambiguous prefix of at least 4 digits. */
  commit(prefix: string): Promise<Oid | undefined>
  /** The text of a file in a commit, cut to `maxBytes`. */
  file(commit: Oid, path: string, maxBytes?: number): Promise<string | undefined>
  /** Texts of blobs in their order, each cut to `maxBytes`; at most 1,000. */
  blobs(oids: readonly Oid[], maxBytes: number): Promise<readonly (string | undefined)[]>
  write(write: Write): Promise<Written>
  /** The tree of a three-way merge; nothing is changed. */
  mergeTree(ours: Oid, theirs: Oid): Promise<Merged>
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>
  log(query: LogQuery): Promise<readonly CommitLine[]>
  /** Commits with the files they changed, newest first. */
  changes(query: LogQuery): Promise<readonly CommitChanges[]>
  /** The same oldest first and without end, in pieces, for those who go through all of it. */
  history(query: Omit<LogQuery, 'limit'>): AsyncIterable<readonly CommitChanges[]>
  /** What one commit changed against its first parent, a merge as well. */
  changed(commit: Oid): Promise<readonly PathChange[]>
  /** Blob of each path in a commit, `undefined` where there is none; at most 10,000 paths. */
  entries(commit: Oid, paths: readonly string[]): Promise<readonly (Oid | undefined)[]>
  /** Paths below a folder in a commit. */
  list(commit: Oid, folder: string, limit: number): Promise<readonly string[]>
  diff(query: DiffQuery): Promise<Diff>
  usage(): Promise<Usage>
  /** What `git fsck` says: nothing when the repository is whole. */
  check(): Promise<readonly string[]>
  pushFacts(refs: readonly PushedRef[], quarantine: Quarantine): Promise<readonly PushedRefFacts[]>
  /** The commits of a push, in pieces and without end; one with many changes comes in several pieces. */
  pushedCommits(refs: readonly PushedRef[], quarantine: Quarantine, reading: PushedReading): AsyncIterable<readonly PushedCommit[]>
  /** The text of a pushed blob, cut to `maxBytes`. */
  pushedText(oid: Oid, quarantine: Quarantine, maxBytes: number): Promise<string | undefined>
  /**
   * Answer a fetch or a push over HTTP, from stream to stream: a process of git’s own for as long as it takes, beside the helper’s. Whoever
   * calls it bounds how many run. Resolves when it has ended; rejects when it failed, the reason being on the client’s screen then, or was stopped.
   */
  servePack(request: PackRequest, input: Readable, output: Writable): Promise<void>
}

/** A repository with a work tree that is not ours: read, never written. */
export interface WorkTree {
  /** Branch, how far it is from its upstream, and the files that differ, at most `limit` of them. */
  status(limit: number): Promise<{
    readonly branch?: string
    readonly head?: Oid
    readonly ahead?: number
    readonly behind?: number
    readonly files: readonly { readonly code: string; readonly path: string }[]
    readonly truncated: boolean
  }>
  log(limit: number): Promise<readonly CommitLine[]>
  /** Without starting a process where the helper has looked at it before. */
  lastCommit(): Promise<CommitLine | undefined>
  /** Names of files that differ between two commits (ids or prefixes), at most `limit`. */
  diffNames(from: string, to: string, limit: number): Promise<readonly string[]>
  /** What a branch changed since it left its base, as a pull request shows it; names of branches or commits. At most `limit` files. */
  branchChanges(base: string, head: string, limit: number): Promise<BranchChanges>
}
/** `missing`: which of the two is no commit of the repository. */
export type BranchChanges = { readonly files: readonly string[]; readonly truncated: boolean } | { readonly missing: 'base' | 'head' }

export interface GitStatus {
  readonly available: boolean
  readonly version?: string
  /** Why not, and what to install. */
  readonly reason?: string
  /** Whether the helper process runs now. */
  readonly running: boolean
  readonly pid?: number
}

/** Git, for the whole process. Started with the first use, ended when nothing was asked for a while. */
export interface Git {
  /** Starts nothing unless `probe`: then the helper, to ask git for its version. */
  status(options?: { readonly probe?: boolean }): Promise<GitStatus>
  /** The repository of a tenant below `<data>/brains`; a name of any form. The same name is the same repository. */
  brain(tenantId: string): Repository
  /** An absolute folder of the operator’s. Nothing is written to it. */
  workTree(folder: string): WorkTree
}
export const git = defineService<Git>('git', 'process')

/** Two histories could not be joined. Whoever offers merges lists it among the errors. */
export const MergeConflict = defineError('MERGE_CONFLICT', {
  status: 409,
  description: 'Both sides changed the same files in different ways. Nothing was changed.',
  details: Type.Object({ what: Type.String(), paths: Type.Array(Type.String()) }),
  message: ({ what, paths }) =>
    `${what} conflicts in ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' and others' : ''}; nothing was changed.`,
})
