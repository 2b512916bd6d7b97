import type { Purpose, RepoClue, ResolvedRepo } from '@gateway/plugin-repos/api'
import { defineService } from '@gateway/sdk'
import type { FileKind, Handoff } from './schema.ts'

export { FileUnusable } from './errors.ts'
export type { FileKind, Handoff } from './schema.ts'

export type StateRepo = Pick<ResolvedRepo, 'name' | 'folder' | 'group' | 'isMaster'> & Partial<ResolvedRepo>
export interface RepoState {
  readonly content: string
  readonly updatedAt: string
}

/**
 * State and handoffs for other families, with the same operations as the tools. Reads one file or document for each; a file
 * that cannot be used is STATE_FILE_UNUSABLE, a managed list MANAGED_REPOS_INVALID: a calling tool lists both.
 */
export interface States {
  /** See `RepoResolver`; without a clue it returns the master repo. */
  repo(clue?: RepoClue, purpose?: Purpose): Promise<StateRepo>
  /** Returns the master repo first. Only repos with a folder on this machine. */
  repos(): Promise<readonly StateRepo[]>
  /** Returns `undefined` when there is no such file. */
  read(repo: string, file: FileKind): Promise<RepoState | undefined>
  /**
   * Returns the handoff that people and other programs wrote: text of the handoff file beside the entries of handoff_write, else HANDOFF.md at
   * the root of the repo. `undefined` when there is none.
   */
  handoffNotes(repo: string): Promise<RepoState | undefined>
  /** Returns the file names in its archive, the newest names first, at most 1,000; empty without a folder. */
  archives(repo: string): Promise<readonly string[]>
  archive(repo: string, name: string): Promise<RepoState | undefined>
  /**
   * Returns the body of the first section whose heading begins so, in any case, as a CommonMark parser finds it; '' if none
   * matches.
   */
  section(markdown: string, beginnings: readonly string[]): string
  latestHandoff(repo: string): Promise<Handoff | undefined>
  /** Returns the latest of each repo, the newest first; at most 100. Long ones are cut. */
  latestHandoffs(limit: number): Promise<readonly Handoff[]>
  /** Returns entries near the words of a query, the nearest first; of one repo when it is named. At most 100. */
  searchHandoffs(query: { readonly text: string; readonly repo?: string | undefined; readonly limit: number }): Promise<readonly Handoff[]>
}
export const states = defineService<States>('state')
