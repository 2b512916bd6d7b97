import { closed, defineCollection, Type } from '@gateway/sdk'
import { Move, Task } from './schema.ts'

/**
 * Every write pays for every index it touches, and claims are the most frequent write. So claiming and listing share two
 * indexes, on `stage`, and the others hold only tasks that are ready, delayed, leased, or assigned to an agent.
 */
export const tasks = defineCollection('tasks', {
  schema: Task,
  key: 'taskId',
  text: ['title', 'description'],
  indexes: [
    { keys: { stage: 1, priority: 1, createdAt: 1 } },
    { keys: { repo: 1, stage: 1, priority: 1, createdAt: 1 } },
    { keys: { assignedAgent: 1, stage: 1, priority: 1, createdAt: 1 }, present: 'assignedAgent' },
    // Searched by claimers with a list of local models; due retries; expired leases.
    { keys: { readyFor: 1, repo: 1, priority: 1, createdAt: 1 }, present: 'readyFor' },
    { keys: { stage: 1, nextRetryAt: 1 }, present: 'nextRetryAt' },
    { keys: { leaseUntil: 1 }, present: 'leaseUntil' },
    { keys: { swarmId: 1, createdAt: 1 }, present: 'swarmId' },
    // Activity of a worker.
    { keys: { workedBy: 1, status: 1, updatedAt: -1 }, present: 'workedBy' },
    // Tasks of a pull request. Those that an earlier version has stored without a key stand first.
    { keys: { prKey: 1, stage: 1 }, present: 'prUrl' },
    // Claims that the journal has not told yet.
    { keys: { claimNews: 1, claimedAt: 1 }, present: 'claimNews', acrossTenants: true },
    // Tasks done today.
    { keys: { completedAt: -1 }, present: 'completedAt' },
  ],
})

/**
 * An edge per entry of a task's `dependsOn`, found from its upstream. `waiting` says whether the upstream still holds the
 * downstream back, so that completing an upstream twice counts once. An edge outlives its tasks while they are in the trash: a
 * restored task finds the state of its upstreams, and no cycle closes unnoticed. It is removed with its downstream, when that
 * is gone for good; an upstream that is gone keeps its last state.
 */
export const edges = defineCollection('tasks.edges', {
  schema: Type.Object(
    {
      edgeId: Type.String(),
      upstream: Type.String(),
      downstream: Type.String(),
      waiting: Type.Boolean(),
      /** Set if the upstream releases the downstream when it reaches review. */
      early: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  key: 'edgeId',
  indexes: [{ keys: { upstream: 1, waiting: 1 } }],
})

/**
 * The latest moves of each task. A claim writes none, so that taking a task costs nothing more: the move that ends it reports it.
 */
export const histories = defineCollection('tasks.histories', {
  schema: Type.Object({ taskId: Type.String(), moves: Type.Array(Move) }, closed),
  key: 'taskId',
})

/** Times per repo of unauthorized moves into blocked, as far back as the bulk-block guard looks. */
export const blocks = defineCollection('tasks.blocks', {
  schema: Type.Object({ repo: Type.String(), times: Type.Array(Type.String()) }, closed),
  key: 'repo',
})

const counted = Type.Integer({ minimum: 0 })

/** Tasks by status, counted every ten minutes for two days. */
export const samples = defineCollection('tasks.samples', {
  schema: Type.Object(
    { at: Type.String(), pending: counted, working: counted, review: counted, blocked: counted, dead_letter: counted },
    closed,
  ),
  key: 'at',
  indexes: [{ keys: { at: 1 }, expireAfterSeconds: 2 * 86_400 }],
})

/** Lengths of consecutive runs of a kind over all tasks, which show that the fleet, not one task, is stuck. */
export const streaks = defineCollection('tasks.streaks', {
  schema: Type.Object(
    { streakId: Type.Enum(['route-exhausted', 'no-op']), count: Type.Integer(), taskId: Type.String({ description: 'The last of them.' }) },
    closed,
  ),
  key: 'streakId',
})

/** Pull requests that a task has named or that have ended, a month long: a task may name one after it has ended. */
export const pullRequestEnds = defineCollection('tasks.pull-requests', {
  schema: Type.Object(
    {
      prKey: Type.String(),
      at: Type.String({ description: 'Time at which it was last heard of.' }),
      end: Type.Optional(Type.Enum(['closed', 'merged'])),
      endedAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'prKey',
  indexes: [{ keys: { at: 1 }, expireAfterSeconds: 30 * 86_400 }],
})
