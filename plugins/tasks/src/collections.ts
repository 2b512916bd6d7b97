import { defineCollection, Type } from '@gateway/sdk'
import { Task } from './schema.ts'

/**
 * Every write pays for every index, and claims are the most frequent write. So what only pending tasks need is in
 * partial indexes on `queue`, and a claim leaves them; leases, delays and local pins cost only the tasks that have one.
 */
export const tasks = defineCollection('tasks', {
  schema: Task,
  key: 'taskId',
  indexes: [
    // claim: from anywhere, from chosen lanes; the local pins in use; the delayed that fell due; the leases that ran out
    { keys: { queue: 1, priority: 1, createdAt: 1 }, present: 'queue' },
    { keys: { queue: 1, lane: 1, priority: 1, createdAt: 1 }, present: 'queue' },
    { keys: { queue: 1, localPin: 1 }, present: 'localPin' },
    { keys: { queue: 1, nextRetryAt: 1 }, present: 'nextRetryAt' },
    { keys: { leaseUntil: 1 }, present: 'leaseUntil' },
    // list: a listing without a status asks for all of them, so that these serve it too
    { keys: { status: 1, priority: 1, createdAt: 1 } },
    { keys: { repo: 1, status: 1, priority: 1, createdAt: 1 } },
    { keys: { assignedAgent: 1, status: 1, priority: 1, createdAt: 1 }, present: 'assignedAgent' },
  ],
})

/**
 * One edge per entry of a task’s `dependsOn`, found from its upstream. `waiting` says whether the upstream still holds
 * the downstream back, so that completing an upstream twice counts once. An edge outlives its tasks while they are in
 * the trash: a restored task finds what became of its upstreams, and no cycle closes behind its back.
 */
export const edges = defineCollection('tasks.edges', {
  schema: Type.Object(
    { edgeId: Type.String(), upstream: Type.String(), downstream: Type.String(), waiting: Type.Boolean() },
    { additionalProperties: false },
  ),
  key: 'edgeId',
  indexes: [{ keys: { upstream: 1, waiting: 1 } }],
})

/** Per repo, when tasks were moved into blocked without authorization, as far back as the bulk-block guard looks. */
export const blocks = defineCollection('tasks.blocks', {
  schema: Type.Object({ repo: Type.String(), times: Type.Array(Type.String()) }, { additionalProperties: false }),
  key: 'repo',
})
