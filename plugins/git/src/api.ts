import type { Readable, Writable } from 'node:stream'
import { defineError, defineService, Type } from '@gateway/sdk'

/** A full object id: 40 lower-case hex digits. */
export type Oid = string
/** A full ref name below one of `refs/heads/`, `refs/anchors/`: see `rules/names.ts`. Nothing else is read or written. */
export type RefName = string

/** Puts or removes a file; `blob` puts one that is in the repository already. Paths follow `rules/names.ts`. */
export type FileChange =
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly blob: Oid }
  | { readonly path: string; readonly removed: true }

/** A planned commit on top of its ref, or as its root if the ref does not exist yet. */
export interface NewCommit {
  readonly ref: RefName
  readonly message: string
  /** Shown as author and committer; characters that git treats specially are left out. */
  readonly author: { readonly name: string; readonly email: string }
  readonly at: Date
  readonly files: readonly FileChange[]
  /** Tree to start from, instead of the parent's. */
  readonly tree?: Oid | undefined
  /** A further parent: the commit is a merge. */
  readonly merges?: Oid | undefined
}

/** A ref's expected and new value; `undefined` means absent. All changes are refused if one of the refs has moved. */
export interface RefChange {
  readonly ref: RefName
  readonly from: Oid | undefined
  /** The value `{ commit: n }` is the n-th commit of the same write. */
  readonly to: Oid | { readonly commit: number } | undefined
}

/** Commits, in order, and the ref changes that go with them: all or none. */
export interface Write {
  readonly commits: readonly NewCommit[]
  /** Values of the commits' refs when the write was planned. A ref that is not named must not exist. */
  readonly tips: ReadonlyMap<RefName, Oid>
  readonly refs?: readonly RefChange[] | undefined
}
export type Written =
  | { readonly written: true; readonly commits: readonly Oid[] }
  /** Someone else moved a ref meanwhile: read it and decide again. Nothing was changed. */
  | { readonly written: false }

export interface Tip {
  readonly ref: RefName
  readonly oid: Oid
}
export interface CommitLine {
  readonly sha: Oid
  readonly parents: readonly Oid[]
  /** Time in ISO 8601, UTC. */
  readonly at: string
  readonly subject: string
}
export interface PathChange {
  /** Git's status letter: A added, M modified, D deleted, T type changed. */
  readonly status: 'A' | 'M' | 'D' | 'T'
  readonly path: string
  /** The blob after the change; for a deletion, the one before it. */
  readonly blob: Oid
}
/** A commit and its changes against its first parent; a merge shows `changes` only with `merges: true`. */
export interface CommitChanges extends CommitLine {
  readonly changes: readonly PathChange[]
}
export interface LogQuery {
  readonly to: Oid
  /** Excludes this commit and its ancestors. */
  readonly from?: Oid | undefined
  readonly path?: string | undefined
  /** Limit from 1 to 10,000. */
  readonly limit: number
}
/** Commits that are reached from any of several tips, newest first. */
export interface GraphQuery {
  /** The commits to start from: 1 to 1,000. */
  readonly tips: readonly Oid[]
  /** With a path only commits that change it are returned, and the parents of each are the nearest of them. */
  readonly path?: string | undefined
  /** Limit from 1 to 10,000. */
  readonly limit: number
}
export interface DiffQuery {
  readonly from: Oid
  readonly to: Oid
  readonly path?: string | undefined
  /** Maximum number of characters of patch; 0 for none. */
  readonly patchCharacters: number
  /** Maximum number of files; the figures count all of them. */
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

/** A ref update that a push requests; `from` or `to` is `undefined` if the ref is created or deleted. */
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
export interface PackRequest {
  readonly service: 'upload-pack' | 'receive-pack'
  /** True: only the refs, in the form of `info/refs`; false: answers the client's request. */
  readonly advertise: boolean
  /** The client's `Git-Protocol`. */
  readonly protocol?: string | undefined
  /** A push of more bytes is aborted. */
  readonly maxBytes?: number | undefined
  /** Called for each piece of a push as it arrives; a returned sentence, for the client's screen, aborts the push. */
  readonly takeRoom?: ((bytes: number) => string | undefined) | undefined
  /**
   * Called before refs move, when the whole push is in quarantine: returns why it is refused, as a sentence for the client's
   * screen.
   */
  readonly judge?: ((refs: readonly PushedRef[], quarantine: Quarantine) => Promise<string | undefined>) | undefined
  readonly signal: AbortSignal
}

export interface PushedChange extends PathChange {
  /** Mode in git's form: `100644` is a plain file. */
  readonly mode: string
  /** Size of an added plain file in bytes; absent for all others. */
  readonly size?: number
  /** Beginning of an added plain file, unless it is too large. */
  readonly text?: string
  /** True if main, or a ref before the push, has a file at this path; set for changed or removed files. */
  readonly stood?: boolean
}
/** A commit that no ref had before; for a merge, its differences from all of its parents. */
export interface PushedCommit {
  readonly sha: Oid
  readonly changes: readonly PushedChange[]
}
export interface PushedReading {
  /** Maximum bytes read of a text. */
  readonly textBytes: number
  /** Files that are larger are not read at all. */
  readonly maxBytes: number
}
export interface PushedRefFacts extends PushedRef {
  /** True if the new tip descends from the old one, and from `main` if the ref is main. */
  readonly descends: boolean
  /** Existing files that are changed or gone at its new tip; for a deleted branch, those that main lacks. */
  readonly rewritten: readonly PathChange[]
  /** More files exist than are shown (at most 20,000); the rest cannot be judged. */
  readonly truncated: boolean
}

export interface Usage {
  /** Size on disk: packs, loose objects, refs. */
  readonly bytes: number
  readonly packs: number
}

/**
 * A bare repository. No process or folder is created before a method other than `exists` is called; reads of a missing
 * repository find nothing. Reads go by object ids: no text of a caller is given to git where it could be an option, an
 * expression or a path of the machine.
 *
 * A write resolves when its objects and refs are on the disk. Writes of one repository run one after another, reads in
 * parallel. Throws UNAVAILABLE when git is missing or too old, when the backlog is full, and when the helper died during a
 * write (its outcome must then be read from the refs).
 */
export interface Repository {
  readonly folder: string
  /** Checks the file system once. */
  exists(): Promise<boolean>
  /** Creates it with `first` as the root of its main, if it does not exist. */
  create(first: NewCommit): Promise<void>
  remove(): Promise<void>
  /** Returns the current tips of these refs, in their order. Starts no process; costs a few file reads. */
  tips(refs: readonly RefName[]): Promise<readonly (Oid | undefined)[]>
  /** Returns all branches and anchors. */
  refs(): Promise<readonly Tip[]>
  /** Returns the commit of an id or of an unambiguous prefix of at least 4 digits. */
  commit(prefix: string): Promise<Oid | undefined>
  /** Returns the text of a file in a commit, cut to `maxBytes`. */
  file(commit: Oid, path: string, maxBytes?: number): Promise<string | undefined>
  /** Returns texts of blobs in their order, each cut to `maxBytes`; at most 1,000. */
  blobs(oids: readonly Oid[], maxBytes: number): Promise<readonly (string | undefined)[]>
  write(write: Write): Promise<Written>
  /** Returns the tree of a three-way merge; nothing is changed. */
  mergeTree(ours: Oid, theirs: Oid): Promise<Merged>
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>
  log(query: LogQuery): Promise<readonly CommitLine[]>
  graph(query: GraphQuery): Promise<readonly CommitLine[]>
  /** Returns commits with the files they changed, newest first. */
  changes(query: LogQuery): Promise<readonly CommitChanges[]>
  /** Yields the same oldest first and without limit, in pieces, for callers that read the whole history. */
  history(query: Omit<LogQuery, 'limit'>): AsyncIterable<readonly CommitChanges[]>
  /** Returns the changes of one commit, also of a merge, against its first parent. */
  changed(commit: Oid): Promise<readonly PathChange[]>
  /** Returns the blob of each path in a commit, `undefined` for a missing one; at most 10,000 paths. */
  entries(commit: Oid, paths: readonly string[]): Promise<readonly (Oid | undefined)[]>
  list(commit: Oid, folder: string, limit: number): Promise<readonly string[]>
  diff(query: DiffQuery): Promise<Diff>
  usage(): Promise<Usage>
  /** Returns the messages of `git fsck`; empty when the repository is intact. */
  check(): Promise<readonly string[]>
  pushFacts(refs: readonly PushedRef[], quarantine: Quarantine): Promise<readonly PushedRefFacts[]>
  /** Yields the commits of a push, in pieces and without limit; one with many changes comes in several pieces. */
  pushedCommits(refs: readonly PushedRef[], quarantine: Quarantine, reading: PushedReading): AsyncIterable<readonly PushedCommit[]>
  /** Returns the text of a pushed blob, cut to `maxBytes`. */
  pushedText(oid: Oid, quarantine: Quarantine, maxBytes: number): Promise<string | undefined>
  /**
   * Answers a fetch or a push over HTTP, streamed, in a separate git process besides the helper's. The caller must limit
   * concurrency. Resolves when it has ended; rejects when it was stopped or failed, in which case the client's screen shows the
   * reason.
   */
  servePack(request: PackRequest, input: Readable, output: Writable): Promise<void>
}

/** A repository with a work tree of the operator: read, never written. */
export interface WorkTree {
  /** Returns the branch, its distance from its upstream, and the files that differ, at most `limit` of them. */
  status(limit: number): Promise<{
    readonly branch?: string
    readonly head?: Oid
    readonly ahead?: number
    readonly behind?: number
    readonly files: readonly { readonly code: string; readonly path: string }[]
    readonly truncated: boolean
  }>
  log(limit: number): Promise<readonly CommitLine[]>
  /** Starts no process if the helper has the answer cached. */
  lastCommit(): Promise<CommitLine | undefined>
  /** Returns names of files that differ between two commits (ids or prefixes), at most `limit`. */
  diffNames(from: string, to: string, limit: number): Promise<readonly string[]>
  /**
   * Returns the changes of a branch since it left its base, like a pull request; names of branches or commits. At most `limit`
   * files.
   */
  branchChanges(base: string, head: string, limit: number): Promise<BranchChanges>
}
/** `missing` names the argument that is not a commit of the repository. */
export type BranchChanges = { readonly files: readonly string[]; readonly truncated: boolean } | { readonly missing: 'base' | 'head' }

export interface GitStatus {
  readonly available: boolean
  readonly version?: string
  /** The reason why git is unavailable, and what to install. */
  readonly reason?: string
  /** True while the helper process runs. */
  readonly running: boolean
  readonly pid?: number
}

/** Git, for the whole process. Started with the first use, ended after an idle time. */
export interface Git {
  /** Starts no process unless `probe` is set: then the helper, to ask git for its version. */
  status(options?: { readonly probe?: boolean }): Promise<GitStatus>
  /** Returns the repository of a tenant below `<data>/brains`; a name of any form. The same name is the same repository. */
  brain(tenantId: string): Repository
  /** Opens an absolute folder of the operator. It is never written to. */
  workTree(folder: string): WorkTree
}
export const git = defineService<Git>('git', 'process')

/** Two histories could not be merged. A tool that offers merges declares this error. */
export const MergeConflict = defineError('MERGE_CONFLICT', {
  status: 409,
  description: 'Both sides changed the same files in different ways. Nothing was changed.',
  details: Type.Object({ what: Type.String(), paths: Type.Array(Type.String()) }),
  message: ({ what, paths }) =>
    `${what} conflicts in ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' and others' : ''}; nothing was changed.`,
})
