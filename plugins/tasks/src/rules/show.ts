import type { Task } from '../schema.ts'

/** A task as answers show it: without the mark of a claim that is not told yet, which is the store's own matter. */
export function shownTask({ claimNews: _mark, ...task }: Task): Task {
  return task
}
