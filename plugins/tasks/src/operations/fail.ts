import { alertRaised, atomically, Conflict, checkUnchanged, gatewayInfo, NotFound, type Resolved, type Transaction } from '@gateway/sdk'
import { config } from '../config.ts'
import { deadLetters, retries } from '../metrics.ts'
import { hasLapsed } from '../rules/lapsed.ts'
import { failed } from '../rules/state.ts'
import type { Task } from '../schema.ts'
import { changeUses, writeChange } from './change.ts'
import { checkClaim } from './fencing.ts'
import { failedNews, taskFailed } from './news.ts'

export const failUses = {
  ...changeUses,
  atomically,
  config,
  alerts: alertRaised,
  failed: taskFailed,
  retries,
  deadLetters,
  gateway: gatewayInfo,
}
type Refs = Resolved<typeof failUses>

export interface Failure {
  readonly taskId: string
  readonly error: string
  readonly claimId?: string | undefined
  readonly ifUpdatedAt?: string | undefined
}

/** Handles a worker's report that its task failed: retried after a backoff, or dead_letter. */
export async function failTask(refs: Refs, { taskId, error, claimId, ifUpdatedAt }: Failure): Promise<Task> {
  const task = await refs.atomically(async (tx) => {
    const before = await refs.tasks.in(tx).get(taskId)
    if (!before) throw NotFound({ what: 'task', id: taskId })
    checkUnchanged(before, ifUpdatedAt)
    checkClaim(before, claimId)
    if (before.status !== 'working') {
      throw Conflict({ field: 'taskId', message: `\`taskId\` must name a working task; ${taskId} is ${before.status}.` })
    }
    return retire(refs, before, error, tx)
  })
  return surfaced(refs, task)
}

/** Fails a task whose lease expired; `undefined` if it was renewed, ended or removed since it was found. */
export async function releaseExpired(refs: Refs, taskId: string): Promise<Task | undefined> {
  const task = await refs.atomically(async (tx) => {
    const before = await refs.tasks.in(tx).get(taskId)
    if (before === undefined || !hasLapsed(before, tx.now, refs.gateway.startedAt)) return undefined
    return retire(refs, before, 'lease expired', tx)
  })
  return task && surfaced(refs, task)
}

async function retire(refs: Refs, before: Task, error: string, tx: Transaction): Promise<Task> {
  const after = await writeChange(refs, before, failed(before, error, refs.config.maxRetries, tx.now), tx)
  await refs.failed.emit(failedNews(before, after), tx)
  return after
}

/** A task that nobody will retry needs an operator. */
function surfaced({ alerts, retries, deadLetters }: Refs, task: Task): Task {
  if (task.status === 'pending') retries.add(1)
  if (task.status === 'dead_letter') {
    deadLetters.add(1)
    alerts.emit({
      level: 'error',
      source: 'tasks.dead-letter',
      title: 'A task needs triage',
      message: `“${task.title}” (${task.taskId}, repo ${task.repo}) used up its retries: ${task.lastError?.replace(/[.\s]+$/, '')}. tasks_update status=pending replays it.`,
    })
  }
  return task
}
