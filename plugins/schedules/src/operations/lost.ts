import { now, type Query, type Resolved } from '@gateway/sdk'
import { failure } from '../rules/outcome.ts'
import type { Schedule } from '../schema.ts'
import { type runUses, settle } from './run.ts'

type Refs = Resolved<typeof runUses>

/** Runs that are still under way at the end of their lease. */
export const overdue = { where: { runLeaseUntil: { lte: now() } }, sort: { runLeaseUntil: 1 } } as const satisfies Query<Schedule>

/** Runs within their lease: the process of each must be alive. */
export const underWay = { where: { runLeaseUntil: { gt: now() } }, sort: { runLeaseUntil: 1 } } as const satisfies Query<Schedule>

/**
 * Keeps the schedules whose process is gone. The processes are read after the schedules, because one that has just started appears among
 * the processes before it begins a run. A run of a version that kept no process has only its lease.
 */
export async function abandoned({ live }: Pick<Refs, 'live'>, schedules: readonly Schedule[]): Promise<readonly Schedule[]> {
  const begun = schedules.filter(({ runNode }) => runNode !== undefined)
  if (begun.length === 0) return []
  const alive = new Set((await live.list()).map(({ nodeId }) => nodeId))
  return begun.filter(({ runNode = '' }) => !alive.has(runNode))
}

/** Records that a run was lost. It is not repeated, because its progress is unknown. */
export async function giveUp(refs: Refs, schedule: Schedule): Promise<void> {
  const error = `The run that began at ${schedule.runStartedAt} did not end: its process stopped, or it took longer than its lease. It was not repeated.`
  await settle(refs, schedule, failure(error))
}
