import { defineContribution, defineService } from '@gateway/sdk'
import type { RepoClue } from './rules/clue.ts'
import type { Registration } from './rules/registration.ts'

export { ManagedReposInvalid } from './errors.ts'
export type { RepoClue } from './rules/clue.ts'
export type { Registration } from './rules/registration.ts'
export { NAME as REPO_NAME } from './schema.ts'

/** A repo whose folder is on this machine, and the operator’s: the master repo, or one of the managed list. */
export interface RepoFolder {
  readonly name: string
  /** Absolute. It may be reached over a link. Its contents came from others, so links inside it are ignored. */
  readonly folder: string
  /** The framework root. */
  readonly isMaster: boolean
  readonly group?: string
  readonly gitRemote?: string
}

/**
 * The folders of the operator's repos. Every other tenant has none: `master` is undefined, nothing is found, the list is empty.
 * Reads the managed list, which is cached between calls. Throws MANAGED_REPOS_INVALID when the list cannot be used, so tools that
 * use it list that among their errors.
 */
export interface RepoFolders {
  master(): Promise<RepoFolder | undefined>
  /** Finds a repo by its name or its absolute folder. */
  find(nameOrFolder: string): Promise<RepoFolder | undefined>
  /** The master repo first, then by name. */
  all(): Promise<readonly RepoFolder[]>
}
export const repoFolders = defineService<RepoFolders>('repos.folders')

/** A repo that a caller refers to, registered or not. */
export interface ResolvedRepo {
  /** The repo's name in records. For an unknown repo, a name that no other repo has. */
  readonly name: string
  readonly isMaster: boolean
  /** True if it is in the roster or the managed list. */
  readonly registered: boolean
  readonly group?: string
  /**
   * Absolute folder that holds its framework files; if absent, they are in the store. Only for the operator, like all folders.
   */
  readonly folder?: string
  /** A sentence that says how to register the repo. Present when it is not registered. */
  readonly hint?: string
  /** Arguments for `repos_upsert`, so that other clones are recognised. Absent when nothing is missing. */
  readonly registration?: Registration
}

export interface Purpose {
  /** The caller stores something under the name, or the answer gives the name to a principal who may do that next. */
  readonly stores: boolean
}

/**
 * Identifies the repo that a caller means, registered or not: by its git remote, then by its folder, then by its name. A fork,
 * work tree, second clone or renamed folder with the same remote is the same repo; two repos that share a name and differ in
 * their remotes are two, and the second has a longer name. A folder that is not on this machine is the repo of its last part, as all
 * folders are for a tenant without folders here. Without a clue it is the master repo. Reads a few records by index, the managed
 * list, and for the operator git's configuration of the folders in question. An unregistered remote keeps the name under which
 * something is first stored for it, so a caller that stores says so, or tells the name to somebody who may; a look keeps no name.
 * Throws NOT_FOUND for a folder of this machine that is neither registered nor a git repo. Lists MANAGED_REPOS_INVALID as well.
 */
export interface RepoResolver {
  resolve(clue?: RepoClue, purpose?: Purpose): Promise<ResolvedRepo>
}
export const repoResolver = defineService<RepoResolver>('repos.resolver')

/**
 * Finds the repo that a caller means where a folder is needed: in the managed list, the roster, or a git repo anywhere on this
 * machine, by its name or absolute folder; the master repo when no repo is named. Throws NOT_FOUND when it does not exist or its
 * folder is missing; FORBIDDEN, with the reason, for tenants other than the operator's, who have no folders here. Lists
 * MANAGED_REPOS_INVALID as well.
 */
export interface RepoLocator {
  locate(nameOrFolder: string | undefined): Promise<{ readonly name: string; readonly folder: string }>
}
export const repoLocator = defineService<RepoLocator>('repos.locator')

/** A repo as a caller names it, and a clone as the hook of a host describes it. */
export { clone as cloneArguments, repoArgument } from './schema.ts'

/** Times of the last handoff of repos, from the family that keeps handoffs: ISO 8601 by the repo's name. */
export interface HandoffTimes {
  /** At most 1,000 names. */
  of(repos: readonly string[]): Promise<ReadonlyMap<string, string>>
}
export const handoffTimes = defineContribution<HandoffTimes>('repos.handoff-times')
