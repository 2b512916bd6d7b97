import type { Resolved, Transaction } from '@gateway/sdk'
import { histories } from '../collections.ts'
import { withMove } from '../rules/history.ts'
import type { Task } from '../schema.ts'

export const historyUses = { histories }
type Refs = Resolved<typeof historyUses>

export async function recordMove({ histories }: Refs, before: Task, after: Task, tx: Transaction): Promise<void> {
  const { taskId } = after
  const known = histories.in(tx)
  const moves = withMove((await known.get(taskId))?.moves ?? [], before, after)
  await known.upsert({ taskId, moves }, { set: { moves } })
}

/** The worker of a task: its claimer, or the latest one, since a task in review has none; else the agent that it is assigned to. */
export async function workerOf(
  { histories }: Refs,
  { taskId, claimedBy, assignedAgent }: Task,
  tx: Transaction,
): Promise<string | undefined> {
  if (claimedBy !== undefined) return claimedBy
  const moves = (await histories.in(tx).get(taskId))?.moves ?? []
  return moves.findLast((move) => move.claimedBy !== undefined)?.claimedBy ?? assignedAgent
}
