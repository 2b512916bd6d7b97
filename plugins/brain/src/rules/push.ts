import type { PushedRef, PushFacts } from '@gateway/plugin-git/api'
import { isBranch } from './names.ts'
import { isCompiled, pinnedPath, readAtomPath, readStashPath } from './paths.ts'

/** Why a push is refused, as its client shows it; `undefined` where it is welcome. */
export function pushFault({ ref, to }: PushedRef, facts: PushFacts): string | undefined {
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
  if (branch === undefined || !isBranch(branch)) return `${ref} is not open to pushes: push to main, session/… or idea/….`
  if (to === undefined) return deletionFault(branch, facts)
  if (!facts.descends) return `${branch} is not a descendant of what is here: fetch, merge and push again.`
  if (facts.truncated) return 'That is too many files for one push: push up to 20,000 at a time.'
  const rewritten = facts.rewritten.find(({ path }) => readAtomPath(path))
  if (rewritten)
    return `Atoms are never rewritten, and ${rewritten.path} is ${rewritten.status === 'D' ? 'dropped' : 'changed'}: add a new atom that supersedes it.`
  const stray = facts.added.find(({ path }) => !isKnown(path))
  return stray && `${stray.path} has no place in a brain: see its README.md.`
}

function deletionFault(branch: string, { rewritten, truncated }: PushFacts): string | undefined {
  if (branch === 'main') return 'main cannot be deleted.'
  const dropped = rewritten.find(({ path }) => readAtomPath(path))
  if (dropped) return `Atoms are never dropped, and main has not ${dropped.path} of ${branch}: merge it before you delete it.`
  return truncated ? `${branch} has too much that main has not: merge it before you delete it.` : undefined
}

const isKnown = (path: string): boolean =>
  path === 'README.md' || isCompiled(path) || (readAtomPath(path) ?? readStashPath(path) ?? pinnedPath(path)) !== undefined
