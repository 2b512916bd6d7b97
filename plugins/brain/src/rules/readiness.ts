/** Minimum number of labeled traces for training a router. */
export const TRAINING_FLOOR = 500
export const RATE_DAYS = 7

export interface Readiness {
  readonly ready: boolean
  readonly missing: number
  readonly perDay: number
  /** Days until the floor is reached at this rate; absent when it is reached or the rate is zero. */
  readonly etaDays?: number
}

export function readiness(labeled: number, lately: number): Readiness {
  const perDay = Math.round((100 * lately) / RATE_DAYS) / 100
  const missing = Math.max(0, TRAINING_FLOOR - labeled)
  return { ready: missing === 0, missing, perDay, ...(missing > 0 && perDay > 0 && { etaDays: Math.ceil(missing / perDay) }) }
}

interface Routed {
  readonly status: string
  readonly routedProfile?: string | undefined
  readonly routedModel?: string | undefined
}
const ENDS = new Set(['done', 'blocked', 'dead_letter'])

/** True if a change of a task ends it and the task records its route. */
export function isLabeled(before: Routed, after: Routed): boolean {
  return !ENDS.has(before.status) && ENDS.has(after.status) && (after.routedModel ?? after.routedProfile) !== undefined
}
