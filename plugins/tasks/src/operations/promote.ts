import { type Collection, type Filter, now, type Resolved } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { audience } from '../rules/stage.ts'
import type { Task } from '../schema.ts'
import { announceClaimable, taskClaimable } from './claimable.ts'
import { addressedLike } from './selection.ts'

export const promoteUses = { tasks, claimable: taskClaimable }
type Refs = Resolved<typeof promoteUses>

const PAGE = 500

/** Claimable, although the store has it as delayed until a claimer comes. */
export const due = { stage: 'delayed', nextRetryAt: { lte: now() } } as const

/** Makes delayed tasks that are due ready and returns their number. It works in pages, so that other writers get in between. */
export async function promoteDue({ tasks, claimable }: Refs): Promise<number> {
  for (let promoted = 0; ; ) {
    const { items } = await tasks.find({ where: due, sort: { nextRetryAt: 1 }, limit: PAGE })
    const changes = await Promise.all(items.map((task) => promote(tasks, task, due)))
    for (const task of changes) if (task) announceClaimable(claimable, task)
    promoted += changes.filter(Boolean).length
    if (items.length < PAGE) return promoted
  }
}

function promote(tasks: Collection<Task>, task: Task, due: Filter<Task>): Promise<Task | undefined> {
  return tasks.updateOne(task.taskId, { set: { stage: 'ready', readyFor: audience(task) } }, { ...due, ...addressedLike(task) })
}
