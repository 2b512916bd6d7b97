import type { Task } from '../schema.ts'

/** A task without what follows from its other fields. */
export type Plain = Omit<Task, 'queue' | 'lane' | 'localPin'>

/**
 * Where a task stands for claimers: `ready`; `waiting` for an upstream; `delayed` until its `nextRetryAt`; nowhere
 * unless pending. A delayed task becomes ready in the store when a claimer finds its time come.
 */
export function queueOf(task: Plain, now: Date): Task['queue'] {
  if (task.status !== 'pending') return undefined
  if (task.waitingOn > 0) return 'waiting'
  return task.nextRetryAt !== undefined && task.nextRetryAt > now.toISOString() ? 'delayed' : 'ready'
}

/** The name of a local model: with its prefix (`local/` or `local:`) or without, it is the same model. */
export function localName(model: string): string {
  return model.replace(LOCAL, '')
}
const LOCAL = /^local[/:]/

/** The local model a task is pinned to. A model that is only a preference pins nothing, nor does one that is not local. */
export function localPin(task: Plain): string | undefined {
  const { recommendedModel: model, recommendedModelPreference: preference } = task
  return model !== undefined && preference !== true && LOCAL.test(model) ? localName(model) : undefined
}

/** One value for repo and pin together: claiming from some repos and some pins is then one list of values. */
export function laneOf(repo: string, pin: string | undefined): string {
  return JSON.stringify(pin === undefined ? [repo] : [repo, pin])
}
export function parseLane(lane: string): { repo: string; pin: string | undefined } {
  const [repo, pin] = JSON.parse(lane) as [string, string?]
  return { repo, pin }
}

/** The task with the fields that follow from the others. */
export function derived(task: Plain, now: Date): Task {
  const { queue: _queue, lane: _lane, localPin: _pin, ...plain } = task as Task
  const queue = queueOf(plain, now)
  const pin = localPin(plain)
  return { ...plain, lane: laneOf(plain.repo, pin), ...(pin !== undefined && { localPin: pin }), ...(queue && { queue }) }
}
