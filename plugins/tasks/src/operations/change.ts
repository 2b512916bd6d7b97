import { type Collection, type Resolved, resourceUpdated, type Transaction } from '@gateway/sdk'
import { type TaskMoves, taskChange } from '../api.ts'
import { difference } from '../rules/difference.ts'
import { derived, type Plain } from '../rules/stage.ts'
import { moved } from '../rules/state.ts'
import type { Status, Task } from '../schema.ts'
import { announceClaimable } from './claimable.ts'
import { dependencyUses, settleDependents } from './dependencies.ts'
import { historyUses, recordMove } from './history.ts'
import { claimedNews, movedNews, taskClaimed, taskMoved } from './news.ts'
import { announceResources } from './resource-news.ts'

export const changeUses = {
  ...dependencyUses,
  ...historyUses,
  participants: taskChange,
  moved: taskMoved,
  claimed: taskClaimed,
  updated: resourceUpdated,
}
type Refs = Resolved<typeof changeUses>

/**
 * Writes a changed task with everything that changes with it: derived fields, waiting tasks, and records that other plugins
 * keep in step. Except for claims, every change of an existing task goes through here.
 */
export async function writeChange(refs: Refs, before: Task, changed: Plain, tx: Transaction): Promise<Task> {
  const tasks = refs.tasks.in(tx)
  const after = derived(changed, tx.now)
  const update = difference(before, after)
  if (!update) return before
  const at = tx.now.toISOString()
  const stored = await tasks.updateOne(before.taskId, { ...update, set: { ...update.set, updatedAt: at } })
  // The store makes `updatedAt` later than before, also for a second change in one millisecond.
  const stamped: Task = { ...after, updatedAt: stored?.updatedAt ?? at }
  if (QUEUE_FIELDS.some((field) => before[field] !== stamped[field])) announceClaimable(refs.claimable, stamped, tx)
  tx.afterCommit(() => announceResources(refs.updated, stamped, before.status !== stamped.status))
  // The claim is told before the move that may end it.
  if (before.claimNews) await refs.claimed.emit(claimedNews(before), tx)
  if (before.status !== after.status) {
    const left = before.dependents > 0 ? await settleDependents(refs, before, after.status, tx) : []
    for (const dependent of left) await takePart(refs, dependent.before, dependent.after, tx)
    // History and event tell the time of the change, which orders them among claims.
    const timed = { ...stamped, updatedAt: at }
    await recordMove(refs, before, timed, tx)
    await refs.moved.emit(movedNews(before, timed), tx)
  }
  return takePart(refs, before, stamped, tx)
}

/** A task that differs in none of them is claimable by the same callers as before. */
const QUEUE_FIELDS = ['stage', 'repo', 'readyFor', 'nextRetryAt'] as const

/** Lets other plugins take part in a written change; returns the task as they leave it. */
export async function takePart(refs: Refs, before: Task, after: Task, tx: Transaction): Promise<Task> {
  if (refs.participants.length === 0) return after
  const change = { before, after, outputTokensDelta: after.outputTokens - before.outputTokens }
  for (const participant of refs.participants) await participant.apply(change, tx, taskMoves(refs, tx))
  // A participant may have changed the task in turn, such as a swarm that pauses all its tasks because its budget is used up.
  return (await refs.tasks.in(tx).get(after.taskId)) ?? after
}

const OPEN: readonly Status[] = ['pending', 'working']
/** Far beyond what any swarm has. */
const MAX_CHILDREN = 1_000

export function taskMoves(refs: Refs, tx: Transaction): TaskMoves {
  async function moveAll(swarmId: string, from: readonly Status[], to: Status): Promise<readonly Task[]> {
    const children = (await childrenOf(refs.tasks.in(tx), swarmId)).filter(({ status }) => from.includes(status))
    const after: Task[] = []
    for (const child of children) after.push(await writeChange(refs, child, moved(child, to, tx.now, 'kept'), tx))
    return after
  }
  return {
    pause: (swarmId) => moveAll(swarmId, OPEN, 'paused'),
    resume: (swarmId) => moveAll(swarmId, ['paused'], 'pending'),
    children: (swarmId) => childrenOf(refs.tasks.in(tx), swarmId),
    async accept(taskId) {
      const task = await refs.tasks.in(tx).get(taskId)
      return task?.status === 'review' ? writeChange(refs, task, moved(task, 'done', tx.now, 'kept'), tx) : undefined
    },
  }
}

/** In order of creation. */
export async function childrenOf(tasks: Collection<Task>, swarmId: string): Promise<readonly Task[]> {
  return (await tasks.find({ where: { swarmId }, sort: { createdAt: 1 }, limit: MAX_CHILDREN })).items
}
