import { alertRaised, type CallContext, type Resolved, type Transaction } from '@gateway/sdk'
import { streaks } from '../collections.ts'
import { config } from '../config.ts'
import type { Task, UpdateArguments } from '../schema.ts'

export const streakUses = { streaks, config, alerts: alertRaised }
type Refs = Resolved<typeof streakUses>

/** Length of each run after an update; absent if the update does not affect it. */
export interface Streaks {
  readonly exhausted?: number
  readonly noop?: number
}

/** Counts defers and flips to review over all tasks of the tenant: one of the kind extends its run, any other ends it. */
export async function countStreaks(refs: Refs, before: Task, update: UpdateArguments, tx: Transaction): Promise<Streaks> {
  const flipped = update.status === 'review' && before.status !== 'review'
  return {
    ...(update.status === 'pending' && { exhausted: await counted(refs, 'route-exhausted', update.routeExhausted, before.taskId, tx) }),
    ...(flipped && { noop: await counted(refs, 'no-op', update.noopDispatch, before.taskId, tx) }),
  }
}

type StreakId = 'route-exhausted' | 'no-op'

async function counted(refs: Refs, streakId: StreakId, ofTheKind: boolean | undefined, taskId: string, tx: Transaction): Promise<number> {
  const records = refs.streaks.in(tx)
  if (ofTheKind) return (await records.upsert({ streakId, count: 1, taskId }, { inc: { count: 1 }, set: { taskId } })).count
  // Most defers and flips are of another kind and find no run to end: they write nothing.
  await records.updateOne(streakId, { set: { count: 0, taskId } }, { count: { gt: 0 } })
  return 0
}

export function reportStreaks({ alerts, config }: Refs, { exhausted = 0, noop = 0 }: Streaks, task: Task, { log }: CallContext): void {
  const { taskId, repo, title, noopDispatchCount } = task
  if (exhausted > 0 && exhausted % config.starvationThreshold === 0) {
    alerts.emit({
      level: 'warning',
      source: 'tasks.starvation',
      title: 'Tasks find no route',
      message: `Tasks were given back ${exhausted} times in a row for want of a route, last task ${taskId} (${title}) of repo ${repo}.`,
    })
  }
  if (noop >= config.noopThreshold) {
    log.warn('consecutive dispatches changed only docs or state', { taskId, repo, consecutive: noop, noopDispatchCount })
  }
  if (noop > 0 && noop % config.noopThreshold === 0) {
    alerts.emit({
      level: 'warning',
      source: 'tasks.no-op',
      title: 'Dispatches change nothing',
      message: `Tasks went to review ${noop} times in a row with changes of docs or state only, last task ${taskId} (${title}) of repo ${repo}.`,
    })
  }
}
