import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { derived, type Plain } from '../rules/stage.ts'
import type { CreateArguments, Task } from '../schema.ts'
import { dependencyUses, link } from './dependencies.ts'

export const createUses = { ...dependencyUses, atomically }

/** Create a task. Throws UnknownDependency. */
export async function createTask(refs: Resolved<typeof createUses>, args: CreateArguments, ctx: CallContext): Promise<Task> {
  const { dependsOn: given = [], ...fields } = args
  const dependsOn = [...new Set(given)]
  const now = ctx.now()
  const task: Plain = {
    taskId: ctx.newId('task-'),
    status: 'pending',
    priority: 'P2',
    source: 'manual',
    ...fields,
    dependsOn,
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
  if (dependsOn.length === 0) return refs.tasks.insert(derived(task, now))
  return refs.atomically(async (tx) => {
    const waitingOn = await link(refs, task.taskId, dependsOn, tx)
    return refs.tasks.in(tx).insert(derived({ ...task, waitingOn }, now))
  })
}
