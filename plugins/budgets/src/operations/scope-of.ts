import { taskQueue } from '@gateway/plugin-tasks/api'
import { type CallContext, optional, type Resolved } from '@gateway/sdk'
import type { Scope } from '../rules/scope.ts'
import { planOf, planUses } from './plan-of.ts'

export const scopeUses = { ...planUses, queue: optional(taskQueue) }

/** Attributes of a call that its caller does not name: its tenant, the plan, and the swarm of its task. */
export async function scopeOf(
  { queue, ...refs }: Resolved<typeof scopeUses>,
  taskId: string | undefined,
  { tenantId }: Pick<CallContext, 'tenantId'>,
): Promise<Pick<Scope, 'tenantId' | 'plan' | 'task' | 'swarm'>> {
  const [plan, task] = await Promise.all([planOf(refs, tenantId), taskId === undefined ? undefined : queue?.get(taskId)])
  // A task that nobody knows gets no meter, so that callers cannot make meters without end.
  return { tenantId, plan, task: task?.taskId, swarm: task?.swarmId }
}
