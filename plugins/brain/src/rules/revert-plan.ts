import type { FileChange, PathChange } from '@gateway/plugin-git/api'

/** A file as the commit left it, as it was before, and as it is now. */
export interface Reverted {
  readonly change: PathChange
  readonly before: string | undefined
  readonly now: string | undefined
}

/**
 * File by file, since atoms are never rewritten: what is as the commit left it goes back to what it was before; what is so already
 * stays; anything else is a conflict.
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
