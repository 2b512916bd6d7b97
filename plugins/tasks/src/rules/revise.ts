import type { Task, UpdateArguments } from '../schema.ts'
import { clampDefer } from './backoff.ts'
import { withNote } from './notes.ts'
import type { Plain } from './stage.ts'
import { delayed, leased, moved } from './state.ts'

/** Fields that an update replaces as they are. */
const replaced = [
  'priority',
  'assignedAgent',
  'recommendedModel',
  'recommendedModelPreference',
  'prUrl',
  'notes',
  'chatMessageId',
  'routedProfile',
  'routedModel',
  'routedComplexity',
  'executionLane',
  'executionProvider',
  'workType',
  'workTypeTier',
  'workTypeFailoverHop',
  'supersededBy',
  'operatorAuthorized',
  'routeExhausted',
  'noopDispatch',
  'pacingDefer',
] as const

export interface Revision {
  readonly now: Date
  /** Number of upstreams that hold the task back after the update. */
  readonly waitingOn: number
  /** The new list, without duplicates, if the update replaces it. */
  readonly dependsOn: readonly string[] | undefined
  /** A line to add to the notes. */
  readonly note: string | undefined
}

/** The task after an update, without its derived fields. */
export function revised(before: Task, update: UpdateArguments, { now, waitingOn, dependsOn, note }: Revision): Plain {
  let next: Plain = { ...before, ...given(update), waitingOn, outputTokens: before.outputTokens + (update.outputTokens ?? 0) }
  if (update.repo?.trim()) next.repo = update.repo
  if (dependsOn) next.dependsOn = [...dependsOn]
  if (note !== undefined) next.notes = withNote(next.notes, note)
  if (update.status !== undefined) next = moved(next, update.status, now, update.claimId === undefined ? 'ends' : 'kept')
  if (update.leaseSeconds !== undefined) next = leased(next, update.leaseSeconds, now)
  if (update.status === 'pending') next = givenBack(next, update, now)
  const flipped = update.status === 'review' && before.status !== 'review'
  if (flipped) next.noopDispatchCount = update.noopDispatch ? before.noopDispatchCount + 1 : 0
  return next
}

/** Returns a task to the queue, perhaps after a delay, and perhaps because no route was left. */
function givenBack(task: Plain, update: UpdateArguments, now: Date): Plain {
  const exhausted = update.routeExhausted === true
  const counted = { ...task, routeExhausted: exhausted, routeExhaustedCount: exhausted ? task.routeExhaustedCount + 1 : 0 }
  if (update.pacingDefer !== true && update.deferSeconds === undefined) return counted
  return { ...delayed(counted, clampDefer(update.deferSeconds ?? 0), now), pacingDeferCount: task.pacingDeferCount + 1 }
}

function given(update: UpdateArguments): Partial<Plain> {
  return Object.fromEntries(replaced.filter((field) => update[field] !== undefined).map((field) => [field, update[field]]))
}
