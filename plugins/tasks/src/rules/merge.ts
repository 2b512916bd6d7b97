import type { Task } from '../schema.ts'
import { withNote } from './notes.ts'
import type { Plain } from './stage.ts'
import { moved } from './state.ts'

interface PullRequest {
  readonly url: string
  readonly state: 'open' | 'closed' | 'merged'
}

export const closedNote = (url: string): string => `The pull request ${url} was closed without a merge.`

/**
 * The task after its pull request has ended: done by a merge, pending with a note when it was closed without one. Only a task in
 * review or working moves.
 */
export function ended(task: Task, { url, state }: PullRequest, now: Date): Plain {
  if (state === 'open' || (task.status !== 'review' && task.status !== 'working')) return task
  if (state === 'merged') return moved(task, 'done', now)
  const note = closedNote(url)
  return moved({ ...task, notes: withNote(task.notes, note) }, 'pending', now)
}
