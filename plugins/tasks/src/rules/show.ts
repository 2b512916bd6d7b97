import type { ShownTask, Task } from '../schema.ts'

/** Counters that an answer omits while they are 0. A stamp such as workTypeFailoverHop says something with 0, and stays. */
const COUNTERS = [
  'outputTokens',
  'retryCount',
  'pacingDeferCount',
  'routeExhaustedCount',
  'noopDispatchCount',
  'waitingOn',
  'dependents',
] as const satisfies readonly (keyof Task)[]

/** A task as answers show it: without counters of 0, an empty dependsOn, and members that serve the store alone. */
export function shownTask({ claimNews: _mark, prKey: _key, leasedAt: _leasedAt, dependsOn, ...task }: Task): ShownTask {
  const shown: ShownTask = dependsOn.length > 0 ? { ...task, dependsOn } : task
  for (const name of COUNTERS) if (shown[name] === 0) delete shown[name]
  return shown
}
