import type { Task } from '../schema.ts'
import { pullRequestKey } from './pull-request-key.ts'

/** A task without its derived fields. */
export type Plain = Omit<Task, 'stage' | 'readyFor' | 'prKey' | 'claimNews'>

/** Name of a local model: with its prefix (`local/` or `local:`) or without, it is the same model. */
export function localName(model: string): string {
  return model.replace(LOCAL, '').replaceAll(ASSIGNED_TO, '@')
}
const LOCAL = /^local[/:]/

/** The pin of a task that is not pinned to a local model. */
export const ANY = '*'
/**
 * Begins the pin of an assigned task to a model that is not local: its agent has to be asked with that model, and every claimer may take
 * the task.
 */
const HOSTED = '*='
/** Separates the pin from the agent; no pin contains it. */
export const ASSIGNED_TO = ' @'

export type Addressed = Pick<Task, 'recommendedModel' | 'recommendedModelPreference' | 'assignedAgent'>

/**
 * The model that a task is pinned to, or `*`. A model that is only a preference pins nothing, nor does one that is not local and whose task
 * is assigned to nobody.
 */
function pinOf({ recommendedModel: model, recommendedModelPreference: preference, assignedAgent }: Addressed): string {
  if (!model || preference === true) return ANY
  if (LOCAL.test(model)) return localName(model)
  return assignedAgent ? `${HOSTED}${localName(model)}` : ANY
}

/** True if a pin keeps the task for claimers that have the model. */
export const isLocal = (pin: string): boolean => pin !== ANY && !pin.startsWith(HOSTED)

/** The recommended model that a pin stands for; undefined for `*`. */
export function modelOf(pin: string): string | undefined {
  if (pin === ANY) return undefined
  return isLocal(pin) ? `local/${pin}` : pin.slice(HOSTED.length)
}

/** Claimers that a task is for: its pin, and the agent it is assigned to, if any. */
export function audience(task: Addressed): string {
  const { assignedAgent } = task
  // An empty name assigns to nobody.
  return !assignedAgent ? pinOf(task) : `${pinOf(task)}${ASSIGNED_TO}${assignedAgent}`
}

export function partsOfAudience(readyFor: string): { readonly pin: string; readonly agent: string | undefined } {
  const at = readyFor.indexOf(ASSIGNED_TO)
  return at < 0 ? { pin: readyFor, agent: undefined } : { pin: readyFor.slice(0, at), agent: readyFor.slice(at + ASSIGNED_TO.length) }
}

/**
 * The status, or, while pending, the state for claimers: `waiting` for an upstream, `delayed` until its `nextRetryAt`,
 * otherwise `ready`. A delayed task becomes ready in the store when a claimer finds it due.
 */
function stageOf(task: Plain, now: Date): Task['stage'] {
  if (task.status !== 'pending') return task.status
  if (task.waitingOn > 0) return 'waiting'
  return task.nextRetryAt !== undefined && task.nextRetryAt > now.toISOString() ? 'delayed' : 'ready'
}

export function derived(task: Plain, now: Date): Task {
  const { readyFor: _previous, prKey: _key, claimNews: _told, ...plain } = task as Task
  const stage = stageOf(plain, now)
  return {
    ...plain,
    stage,
    ...(stage === 'ready' && { readyFor: audience(plain) }),
    ...(plain.prUrl !== undefined && { prKey: pullRequestKey(plain.prUrl) }),
  }
}
