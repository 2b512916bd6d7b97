import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import type { Resolved } from '@gateway/sdk'
import { unmergedBranches } from '../collections.ts'
import type { Unmerged } from '../schema.ts'

/** Newest branches that are looked at. Each needs a look at its task. */
const LOOKED_AT = 100

export const unmergedUses = { branches: unmergedBranches, queue: taskQueue }

interface Waiting extends Unmerged {
  readonly task: Task
}

/** Branches whose task is still to be merged, newest first. One whose task was sent back or removed waits no longer. */
export async function waitingToMerge({ branches, queue }: Resolved<typeof unmergedUses>): Promise<readonly Waiting[]> {
  const { items } = await branches.find({ sort: { since: -1 }, limit: LOOKED_AT })
  const read = await Promise.all(items.map(async (branch) => ({ ...branch, task: await queue.get(branch.taskId) })))
  return read.flatMap(({ task, ...branch }) => (task?.status === 'done' || task?.status === 'review' ? [{ ...branch, task }] : []))
}
