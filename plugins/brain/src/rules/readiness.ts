/** Labeled traces a router is trained on, at the least. */
export const TRAINING_FLOOR = 500
/** The rate is taken over these days. */
export const RATE_DAYS = 7

export interface Readiness {
  readonly ready: boolean
  readonly missing: number
  readonly perDay: number
  /** Days until the floor is reached at this rate; absent when it is reached, or nothing comes. */
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

/** Whether a change of a task is the end of one that says which way it was routed. */
export function isLabeled(before: Routed, after: Routed): boolean {
  return !ENDS.has(before.status) && ENDS.has(after.status) && (after.routedModel ?? after.routedProfile) !== undefined
}
