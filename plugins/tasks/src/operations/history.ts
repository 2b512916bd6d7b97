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
