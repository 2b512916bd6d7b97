import type { Collection, Filter } from '@gateway/sdk'
import type { Task } from '../schema.ts'
import { heads } from './selection.ts'

/** Parts of a queue beyond it are not looked at: the first ones are enough to see that work waits for nobody. */
const MAX_PARTS = 200

/**
 * The first task of each part of the queue, if it became ready before a time and no worker holds a task of its repo for its agent. A worker
 * takes the first task of a part, so that the others wait at least as long for the same reason.
 */
export async function unattended(tasks: Collection<Task>, before: string): Promise<readonly Task[]> {
  const parts: Filter<Task>[] = []
  for (const readyFor of await tasks.distinct('readyFor')) {
    if (parts.length >= MAX_PARTS) break
    if (readyFor === undefined) continue
    parts.push(...(await tasks.distinct('repo', { readyFor })).map((repo) => ({ readyFor, repo })))
  }
  const waiting = (await heads(tasks, parts.slice(0, MAX_PARTS))).filter((task) => readySince(task) < before)
  const excused = await Promise.all(waiting.map(async (task) => (await isWorkedOn(tasks, task)) || (await isReleased(tasks, task, before))))
  return waiting.filter((_, at) => !excused[at])
}

/** A delayed task becomes ready without a change of `updatedAt`. */
const readySince = ({ updatedAt, nextRetryAt = '' }: Task): string => (nextRetryAt > updatedAt ? nextRetryAt : updatedAt)

/** True if an upstream may have released the task since: a release leaves its `updatedAt` as it is, and ends with a change of the upstream. */
async function isReleased(tasks: Collection<Task>, { dependsOn }: Task, since: string): Promise<boolean> {
  if (dependsOn.length === 0) return false
  return (await tasks.count({ taskId: { in: dependsOn }, updatedAt: { gte: since } }, { max: 1 })) > 0
}

async function isWorkedOn(tasks: Collection<Task>, { repo, assignedAgent }: Task): Promise<boolean> {
  const where = { repo, stage: 'working', ...(assignedAgent && { assignedAgent }) } as const
  return (await tasks.count(where, { max: 1 })) > 0
}
