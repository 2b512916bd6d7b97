import { defineContribution, defineService } from '@gateway/sdk'

export { ManagedReposInvalid } from './errors.ts'
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

/**
 * The repo that a caller means where a folder is needed: in the managed list, the roster, or a git repo anywhere on this machine, by its
 * name or absolute folder; the master repo when none is named. NOT_FOUND when there is none, or its folder is not there; FORBIDDEN, with
 * a sentence that says why, for tenants other than the operator’s, who have no folders here. Lists MANAGED_REPOS_INVALID as well.
 */
export interface RepoLocator {
  locate(nameOrFolder: string | undefined): Promise<{ readonly name: string; readonly folder: string }>
}
export const repoLocator = defineService<RepoLocator>('repos.locator')

/** A repo as a caller names it: its name, or its absolute folder. */
export { repoArgument } from './schema.ts'

/** When the last handoff of repos was written, as the family that keeps handoffs knows it: ISO 8601 by the repo’s name. */
export interface HandoffTimes {
  /** At most 1,000 names. */
  of(repos: readonly string[]): Promise<ReadonlyMap<string, string>>
}
export const handoffTimes = defineContribution<HandoffTimes>('repos.handoff-times')
