import { withNote } from './notes.ts'
import type { Plain } from './stage.ts'
import { moved } from './state.ts'

export type End = 'closed' | 'merged'

interface PullRequest {
  readonly url: string
  readonly state: 'open' | End
}

const closedNote = (url: string): string => `The pull request ${url} was closed without a merge.`

/** True if the pull request of a task was closed without a merge and the task was told. */
export const isClosed = ({ prUrl, notes }: Plain): boolean => prUrl !== undefined && notes?.includes(closedNote(prUrl)) === true

/**
 * The task after its pull request has ended: done by a merge, pending with a note when it was closed without one. Only a task in
 * review or working moves.
 */
export function ended(task: Plain, { url, state }: PullRequest, now: Date, claim?: 'kept'): Plain {
  if (state === 'open' || (task.status !== 'review' && task.status !== 'working')) return task
  if (state === 'merged') return moved(task, 'done', now, claim)
  return moved({ ...task, notes: withNote(task.notes, closedNote(task.prUrl ?? url)) }, 'pending', now)
}
