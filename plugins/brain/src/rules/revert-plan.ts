import type { FileChange, PathChange } from '@gateway/plugin-git/api'

/** A file as the commit left it, as it was before, and its current state. */
export interface Reverted {
  readonly change: PathChange
  readonly before: string | undefined
  readonly now: string | undefined
}

/**
 * Plans a revert file by file, since atoms are never rewritten: a file that is still as the commit left it goes back to its
 * earlier state; a file already in that state stays; anything else is a conflict.
 */
export function revertPlan(files: readonly Reverted[]): { readonly undo: readonly FileChange[]; readonly conflicts: readonly string[] } {
  const undo: FileChange[] = []
  const conflicts: string[] = []
  for (const { change, before, now } of files) {
    const after = change.status === 'D' ? undefined : change.blob
    if (now === before) continue
    if (now !== after) conflicts.push(change.path)
    else undo.push(before === undefined ? { path: change.path, removed: true } : { path: change.path, blob: before })
  }
  return { undo, conflicts }
}
