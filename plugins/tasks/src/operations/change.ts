import type { Resolved, Transaction } from '@gateway/sdk'
import { taskChange } from '../api.ts'
import { difference } from '../rules/difference.ts'
import { derived, type Plain } from '../rules/stage.ts'
import type { Task } from '../schema.ts'
import { dependencyUses, settleDependents } from './dependencies.ts'

export const changeUses = { ...dependencyUses, participants: taskChange }
type Refs = Resolved<typeof changeUses>

/**
 * Write a changed task and everything that changes with it: what follows from its fields, the tasks that wait for it,
 * and what other plugins keep in step. The one way a task that exists is changed, claims apart.
 */
export async function writeChange(refs: Refs, before: Task, changed: Plain, tx: Transaction): Promise<Task> {
  const tasks = refs.tasks.in(tx)
  const after = derived(changed, tx.now)
  const update = difference(before, after)
  if (!update) return before
  const stamped: Task = { ...after, updatedAt: tx.now.toISOString() }
  await tasks.updateOne(before.taskId, { ...update, set: { ...update.set, updatedAt: stamped.updatedAt } })
  const wasDone = before.status === 'done'
  const isDone = after.status === 'done'
  if (wasDone !== isDone && before.dependents > 0) await settleDependents(refs, before.taskId, isDone, tx)
  if (refs.participants.length === 0) return stamped
  const change = { before, after: stamped, outputTokensDelta: stamped.outputTokens - before.outputTokens }
  for (const participant of refs.participants) await participant.apply(change, tx)
  // A participant may have changed the task in turn, as when a swarm that used up its budget pauses all its tasks.
  return (await tasks.get(before.taskId)) ?? stamped
}
