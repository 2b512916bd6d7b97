import { atomically, type CallContext, type Resolved, type Transaction } from '@gateway/sdk'
import type { QueueDraft } from '../api.ts'
import { derived, type Plain } from '../rules/stage.ts'
import type { CreateArguments, Task } from '../schema.ts'
import { announceClaimable } from './claimable.ts'
import { dependencyUses, link } from './dependencies.ts'
import { createdNews, taskCreated } from './news.ts'

export const newTaskUses = { ...dependencyUses, created: taskCreated }
export const createUses = { ...newTaskUses, atomically }

/** Creates a task. Throws UnknownDependency and TooManyDependents. */
export function createTask(refs: Resolved<typeof createUses>, args: CreateArguments, ctx: CallContext): Promise<Task> {
  return refs.atomically((tx) => createTaskIn(tx, refs, args, ctx))
}

export async function createTaskIn(tx: Transaction, refs: Resolved<typeof newTaskUses>, args: QueueDraft, ctx: CallContext): Promise<Task> {
  const task = newTask(args, tx.now, ctx)
  const waitingOn = await link(refs, task, task.dependsOn, tx)
  const created = await refs.tasks.in(tx).insert(derived({ ...task, waitingOn }, tx.now))
  announceClaimable(refs.claimable, created, tx)
  await refs.created.emit(createdNews(created), tx)
  return created
}

function newTask({ dependsOn = [], ...fields }: QueueDraft, now: Date, ctx: CallContext): Task {
  const task: Plain = {
    taskId: ctx.newId('task-'),
    status: 'pending',
    priority: 'P2',
    source: 'manual',
    ...fields,
    dependsOn: [...new Set(dependsOn)],
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    retryCount: 0,
    outputTokens: 0,
    pacingDeferCount: 0,
    routeExhaustedCount: 0,
    noopDispatchCount: 0,
    waitingOn: 0,
    dependents: 0,
  }
  return derived(task, now)
}
