import type { PushedChange, PushedCommit, PushedRef, PushedRefFacts } from '@gateway/plugin-git/api'
import { isBranch } from './names.ts'
import { readAtomPath } from './paths.ts'
import { fileFault, MAX_UNPACKED_BYTES } from './pushed-file.ts'

const HEADS = 'refs/heads/'
const MAX_COMMITS = 20_000
const MAX_FILES = 20_000

/** Returns why a push is refused before its files are read; `undefined` if it may continue. */
export function refFault({ ref, to }: PushedRef): string | undefined {
  const branch = branchOf(ref)
  if (branch === undefined || !isBranch(branch)) return `${ref} is not open to pushes: push to main, session/… or idea/….`
  return branch === 'main' && to === undefined ? 'main cannot be deleted.' : undefined
}

/** Returns why a push is refused for its change at the tip of a ref. */
export function tipFault({ ref, to, descends, rewritten, truncated }: PushedRefFacts): string | undefined {
  const branch = branchOf(ref)
  const atom = rewritten.find(({ path }) => readAtomPath(path))
  if (to === undefined) {
    if (atom) return `Atoms are never dropped, and main has not ${atom.path} of ${branch}: merge it before you delete it.`
    return truncated ? `${branch} has too much that main has not: merge it before you delete it.` : undefined
  }
  if (!descends) return `${branch} is not a descendant of the current commit: fetch, merge and push again.`
  if (atom) return rewriteFault(atom)
  return truncated ? TOO_MANY : undefined
}

const TOO_MANY = `That is too much for one push: push up to ${MAX_COMMITS} commits and ${MAX_FILES} files at a time.`

/** Judges the commits of a push one after another, and their total size. */
export class PushedCommits {
  #commits = new Set<string>()
  #files = 0
  #bytes = 0

  fault({ sha, changes }: PushedCommit): string | undefined {
    this.#commits.add(sha)
    this.#files += changes.length
    if (this.#commits.size > MAX_COMMITS || this.#files > MAX_FILES) return TOO_MANY
    for (const change of changes) {
      this.#bytes += change.size ?? 0
      const fault = changeFault(change)
      if (fault !== undefined) return fault
    }
    if (this.#bytes <= MAX_UNPACKED_BYTES) return undefined
    return `That is too much for one push: push up to ${MAX_UNPACKED_BYTES} bytes of files at a time.`
  }
}

function changeFault(change: PushedChange): string | undefined {
  if (change.stood === true && readAtomPath(change.path)) return rewriteFault(change)
  return change.status === 'D' ? undefined : fileFault(change)
}

const branchOf = (ref: string): string | undefined => (ref.startsWith(HEADS) ? ref.slice(HEADS.length) : undefined)

const rewriteFault = ({ path, status }: Pick<PushedChange, 'path' | 'status'>): string =>
  `Atoms are never rewritten, and ${path} is ${status === 'D' ? 'dropped' : 'changed'}: add a new atom that supersedes it.`
