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
  /** Absolute. It may be reached over a link; what is in it came from others, so a link there counts for nothing. */
  readonly folder: string
  /** The framework root. */
  readonly isMaster: boolean
  readonly group?: string
  readonly gitRemote?: string
}

/**
 * The folders of the operator’s repos. For every other tenant there are none: `master` is undefined, nothing is found, the list is
 * empty. Reads the managed list, which is kept between calls; MANAGED_REPOS_INVALID when it cannot be used, so a tool that asks
 * lists that among its errors.
 */
export interface RepoFolders {
  master(): Promise<RepoFolder | undefined>
  /** By its name or its absolute folder. */
  find(nameOrFolder: string): Promise<RepoFolder | undefined>
  /** The master repo first, then by name. */
  all(): Promise<readonly RepoFolder[]>
}
export const repoFolders = defineService<RepoFolders>('repos.folders')

/** A repo that a caller refers to, registered or not. */
export interface ResolvedRepo {
  /** The name that records of the repo carry. For one that is not known yet a name that no other repo has. */
  readonly name: string
  readonly isMaster: boolean
  /** In the roster or the managed list. */
  readonly registered: boolean
  readonly group?: string
  /** The folder that holds its framework files, absolute; else they lie in the store. Only for the operator, as all folders are. */
  readonly folder?: string
  /** A sentence that says how to register the repo. Present when it is not registered. */
  readonly hint?: string
  /** Arguments for `repos_upsert`, so that other clones are recognised. Absent when nothing is missing. */
  readonly registration?: Registration
}

/**
 * The repo that a caller means, whether it is registered or not: recognised by its git remote, then by its folder, then by its name. A
 * fork, work tree, second clone or renamed folder with the same remote is the same repo; two repos that share a name and differ in their
 * remotes are two, and the second has a longer name. Without a clue it is the master repo. Reads a few records by index, the managed list,
 * and for the operator git’s configuration of the folders in question; NOT_FOUND for a folder that is neither registered nor a git
 * repo, for a tenant without folders for each that its roster does not have. Lists MANAGED_REPOS_INVALID as well.
 */
export interface RepoResolver {
  resolve(clue?: RepoClue): Promise<ResolvedRepo>
}
export const repoResolver = defineService<RepoResolver>('repos.resolver')

/**
 * The repo that a caller means where a folder is needed: in the managed list, the roster, or a git repo anywhere on this machine, by its
 * name or absolute folder; the master repo when none is named. NOT_FOUND when there is none, or its folder is not there; FORBIDDEN, with
 * a sentence that says why, for tenants other than the operator’s, who have no folders here. Lists MANAGED_REPOS_INVALID as well.
 */
export interface RepoLocator {
  locate(nameOrFolder: string | undefined): Promise<{ readonly name: string; readonly folder: string }>
}
export const repoLocator = defineService<RepoLocator>('repos.locator')

/** A repo as a caller names it, and a clone as the hook of a host describes it. */
export { clone as cloneArguments, repoArgument } from './schema.ts'

/** When the last handoff of repos was written, as the family that keeps handoffs knows it: ISO 8601 by the repo’s name. */
export interface HandoffTimes {
  /** At most 1,000 names. */
  of(repos: readonly string[]): Promise<ReadonlyMap<string, string>>
}
export const handoffTimes = defineContribution<HandoffTimes>('repos.handoff-times')
