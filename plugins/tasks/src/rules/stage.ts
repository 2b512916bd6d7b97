import type { Task } from '../schema.ts'

/** A task without its derived fields. */
export type Plain = Omit<Task, 'stage' | 'readyFor' | 'claimNews'>

/** Name of a local model: with its prefix (`local/` or `local:`) or without, it is the same model. */
export function localName(model: string): string {
  return model.replace(LOCAL, '')
}
const LOCAL = /^local[/:]/

/** `readyFor` of a task that is not pinned to a local model. */
export const ANY = '*'

/**
 * Claimers that a task is for: those with a certain local model, or `*`. A model that is only a preference pins nothing, nor does
 * one that is not local.
 */
export function audience({
  recommendedModel: model,
  recommendedModelPreference: preference,
}: Pick<Task, 'recommendedModel' | 'recommendedModelPreference'>): string {
  return model !== undefined && preference !== true && LOCAL.test(model) ? localName(model) : ANY
}

/**
 * The status, or, while pending, the state for claimers: `waiting` for an upstream, `delayed` until its `nextRetryAt`, otherwise
 * `ready`. A delayed task becomes
 * ready in the store when a claimer finds it due.
 */
function stageOf(task: Plain, now: Date): Task['stage'] {
  if (task.status !== 'pending') return task.status
  if (task.waitingOn > 0) return 'waiting'
  return task.nextRetryAt !== undefined && task.nextRetryAt > now.toISOString() ? 'delayed' : 'ready'
}

/** The task with its derived fields. */
export function derived(task: Plain, now: Date): Task {
  const { readyFor: _previous, claimNews: _told, ...plain } = task as Task
  const stage = stageOf(plain, now)
  return stage === 'ready' ? { ...plain, stage, readyFor: audience(plain) } : { ...plain, stage }
}
