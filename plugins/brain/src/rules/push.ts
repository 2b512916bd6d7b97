import type { PushedChange, PushedRef, PushedRefFacts, PushFacts } from '@gateway/plugin-git/api'
import { isBranch } from './names.ts'
import { readAtomPath } from './paths.ts'
import { fileFault, MAX_UNPACKED_BYTES } from './pushed-file.ts'

const HEADS = 'refs/heads/'

/** Why a push is refused before its files are looked at; `undefined` where it may go on. */
export function refFault({ ref, to }: PushedRef): string | undefined {
  const branch = branchOf(ref)
  if (branch === undefined || !isBranch(branch)) return `${ref} is not open to pushes: push to main, session/… or idea/….`
  return branch === 'main' && to === undefined ? 'main cannot be deleted.' : undefined
}

/** Why a push is refused, as its client shows it; `undefined` where it is welcome. Each of its commits is judged, not its end alone. */
export function pushFault({ refs, commits, truncated }: PushFacts): string | undefined {
  for (const ref of refs) {
    const fault = refFault(ref) ?? (ref.to === undefined ? deletionFault(ref, truncated) : tipFault(ref))
    if (fault !== undefined) return fault
  }
  if (truncated) return 'That is too much for one push: push up to 20,000 commits and files at a time.'
  let bytes = 0
  for (const change of commits.flatMap(({ changes }) => changes)) {
    bytes += change.size ?? 0
    const fault = changeFault(change)
    if (fault !== undefined) return fault
  }
  return bytes > MAX_UNPACKED_BYTES
    ? `That is too much for one push: push up to ${MAX_UNPACKED_BYTES} bytes of files at a time.`
    : undefined
}

const branchOf = (ref: string): string | undefined => (ref.startsWith(HEADS) ? ref.slice(HEADS.length) : undefined)

function tipFault({ ref, descends, rewritten }: PushedRefFacts): string | undefined {
  if (!descends) return `${branchOf(ref)} is not a descendant of what is here: fetch, merge and push again.`
  const atom = rewritten.find(({ path }) => readAtomPath(path))
  return atom && rewriteFault(atom)
}

function changeFault(change: PushedChange): string | undefined {
  if (change.stood === true && readAtomPath(change.path)) return rewriteFault(change)
  return change.status === 'D' ? undefined : fileFault(change)
}

const rewriteFault = ({ path, status }: Pick<PushedChange, 'path' | 'status'>): string =>
  `Atoms are never rewritten, and ${path} is ${status === 'D' ? 'dropped' : 'changed'}: add a new atom that supersedes it.`

function deletionFault({ ref, rewritten }: PushedRefFacts, truncated: boolean): string | undefined {
  const branch = branchOf(ref)
  const dropped = rewritten.find(({ path }) => readAtomPath(path))
  if (dropped) return `Atoms are never dropped, and main has not ${dropped.path} of ${branch}: merge it before you delete it.`
  return truncated ? `${branch} has too much that main has not: merge it before you delete it.` : undefined
}
