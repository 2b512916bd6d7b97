import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, defined, NotFound, now, type Query, type Resolved, type Transaction } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { nextFire } from '../rules/times.ts'
import type { RecurringTask } from '../schema.ts'

export const fireUses = { recurringTasks, atomically, queue: taskQueue }
type Refs = Resolved<typeof fireUses>

export interface Fired {
  readonly recurringTask: RecurringTask
  /** Absent when the fire was skipped: the task before it is open. */
  readonly task?: Task
}

/** Templates that are due now, longest first. */
export const due = {
  where: { enabled: true, nextFireAt: { lte: now() } },
  sort: { nextFireAt: 1 },
} as const satisfies Query<RecurringTask>

/**
 * Statuses in which a task is no longer worked on, except by an operator. A task in the trash is not found, so it is not open
 * either.
 */
const CLOSED: readonly Task['status'][] = ['done', 'blocked', 'dead_letter']

/**
 * Fires a template that was seen to be due. The task and the next time are written together, and only if the template is
 * unchanged: each fire enqueues once, even after a kill in between. The next time counts from now, so one fire makes up for any
 * number of missed ones.
 */
export function fireDue(refs: Refs, { recurringId, nextFireAt }: RecurringTask): Promise<Fired | undefined> {
  return refs.atomically(async (tx) => {
    const template = await refs.recurringTasks.in(tx).get(recurringId)
    if (!template?.enabled || template.nextFireAt !== nextFireAt) return undefined
    const after = new Date(Math.max(tx.now.getTime(), Date.parse(nextFireAt)))
    return write(refs, template, { nextFireAt: nextFire(template.cronExpr, after) }, tx)
  })
}

/** Fires a template on request; its due time does not change. */
export function fireNow(refs: Refs, recurringId: string): Promise<Fired> {
  return refs.atomically(async (tx) => {
    const template = await refs.recurringTasks.in(tx).get(recurringId)
    if (!template) throw NotFound({ what: 'recurring task', id: recurringId })
    return write(refs, template, {}, tx)
  })
}

async function write(
  refs: Refs,
  template: RecurringTask,
  times: Pick<RecurringTask, 'nextFireAt'> | object,
  tx: Transaction,
): Promise<Fired> {
  const task = (await isHeldBack(refs, template, tx)) ? undefined : await refs.queue.enqueue(draftOf(template), tx)
  const fired = { lastFireAt: now(), lastOutcome: task ? 'enqueued' : 'skipped', lastTaskId: task?.taskId } as const
  const recurringTask = await refs.recurringTasks.in(tx).updateOne(template.recurringId, { set: { ...times, ...fired } })
  return { recurringTask: recurringTask ?? template, ...(task && { task }) }
}

async function isHeldBack({ queue }: Refs, { overlapPolicy, lastTaskId }: RecurringTask, tx: Transaction): Promise<boolean> {
  if (overlapPolicy === 'stack' || lastTaskId === undefined) return false
  const previous = await queue.get(lastTaskId, tx)
  return previous !== undefined && !CLOSED.includes(previous.status)
}

function draftOf({ recurringId, repo, title, description, priority, assignedAgent, recommendedModel, notes }: RecurringTask) {
  return {
    repo,
    title,
    priority,
    ...defined({ description, assignedAgent, recommendedModel, notes }),
    source: 'scheduler' as const,
    sourceId: recurringId,
  }
}
