import type { ShownTask, Task } from '../schema.ts'

/** A task as answers show it: without counts of 0 and empty lists, and without the store's mark of a claim not yet published. */
export function shownTask({ claimNews: _mark, ...task }: Task): ShownTask {
  return Object.fromEntries(Object.entries(task).filter(([, value]) => !isNothing(value))) as unknown as ShownTask
}

const isNothing = (value: unknown): boolean => value === 0 || (Array.isArray(value) && value.length === 0)
