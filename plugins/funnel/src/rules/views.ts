import type { Step } from '../schema.ts'

export const VIEWS = ['own', 'fleet', 'selfServe', 'hostedBrain', 'dropoff'] as const
export type View = (typeof VIEWS)[number]

const JOURNEY = ['signup', 'init', 'first_brain_boot', 'first_brain_delta', 'wrapup_merge'] as const

export const stepsOf: Readonly<Record<View, readonly Step[]>> = {
  own: JOURNEY,
  fleet: JOURNEY,
  dropoff: JOURNEY,
  selfServe: ['signup', 'init', 'first_task_shipped', 'retained'],
  hostedBrain: ['signup', 'first_brain_boot', 'first_brain_delta', 'wrapup_merge'],
}

/** The view to use if several are set. */
export function viewOf(asked: Partial<Readonly<Record<View, boolean>>>): View {
  const precedence = ['dropoff', 'hostedBrain', 'selfServe', 'fleet'] as const
  return precedence.find((view) => asked[view]) ?? 'own'
}
