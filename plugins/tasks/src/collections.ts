import { closed, defineCollection, Type } from '@gateway/sdk'
import { Move, Task } from './schema.ts'

/**
 * Every write pays for every index it touches, and claims are the most frequent write. So claiming and listing share
 * two indexes, on `stage`, and the others hold only the tasks that are ready, delayed, leased, or assigned to an agent.
 */
export const tasks = defineCollection('tasks', {
  schema: Task,
  key: 'taskId',
  indexes: [
    { keys: { stage: 1, priority: 1, createdAt: 1 } },
    { keys: { repo: 1, stage: 1, priority: 1, createdAt: 1 } },
    { keys: { assignedAgent: 1, stage: 1, priority: 1, createdAt: 1 }, present: 'assignedAgent' },
    // what claimers with a list of local models look through; what fell due; the leases that ran out
    { keys: { readyFor: 1, repo: 1, priority: 1, createdAt: 1 }, present: 'readyFor' },
    { keys: { stage: 1, nextRetryAt: 1 }, present: 'nextRetryAt' },
    { keys: { leaseUntil: 1 }, present: 'leaseUntil' },
    { keys: { swarmId: 1, createdAt: 1 }, present: 'swarmId' },
    // what was done today
    { keys: { completedAt: -1 }, present: 'completedAt' },
  ],
})

/**
 * One edge per entry of a task’s `dependsOn`, found from its upstream. `waiting` says whether the upstream still holds
 * the downstream back, so that completing an upstream twice counts once. An edge outlives its tasks while they are in
 * the trash: a restored task finds what became of its upstreams, and no cycle closes behind its back. It goes with its
 * downstream, when that is gone for good; an upstream that is gone stays what it was.
 */
export const edges = defineCollection('tasks.edges', {
  schema: Type.Object({ edgeId: Type.String(), upstream: Type.String(), downstream: Type.String(), waiting: Type.Boolean() }, closed),
  key: 'edgeId',
  indexes: [{ keys: { upstream: 1, waiting: 1 } }],
})

/** The latest moves of each task. A claim writes none, so that taking a task costs nothing more: the move that ends it tells of it. */
export const histories = defineCollection('tasks.histories', {
  schema: Type.Object({ taskId: Type.String(), moves: Type.Array(Move) }, closed),
  key: 'taskId',
})

/** Per repo, when tasks were moved into blocked without authorization, as far back as the bulk-block guard looks. */
export const blocks = defineCollection('tasks.blocks', {
  schema: Type.Object({ repo: Type.String(), times: Type.Array(Type.String()) }, closed),
  key: 'repo',
})

/** How many of a kind came in a row, over all tasks: what says that the fleet, and not one task, is stuck. */
export const streaks = defineCollection('tasks.streaks', {
  schema: Type.Object(
    { streakId: Type.Enum(['route-exhausted', 'no-op']), count: Type.Integer(), taskId: Type.String({ description: 'The last of them.' }) },
    closed,
  ),
  key: 'streakId',
})
