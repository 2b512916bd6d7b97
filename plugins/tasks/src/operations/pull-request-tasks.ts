import type { HostedRepo } from '@gateway/plugin-webhooks/api'
import type { Filter, Resolved, Transaction } from '@gateway/sdk'
import type { tasks } from '../collections.ts'
import { isOfRepo, mentionedTasks } from '../rules/mentioned.ts'
import { pullRequestKey } from '../rules/pull-request-key.ts'
import type { Task } from '../schema.ts'

/** Far beyond what one pull request has at once. */
const MAX_TASKS = 100
/** Stages that news of a pull request concerns. */
const OPEN = ['ready', 'waiting', 'delayed', 'working', 'review', 'blocked', 'paused', 'dead_letter'] as const

interface Named {
  /** Pages of pull requests. */
  readonly urls: readonly string[]
  readonly repo: HostedRepo
  readonly texts: readonly string[]
}

/**
 * Tasks that are not done and name one of the pull requests in `prUrl`, in any spelling, and those of the repo, under any of its names, that a
 * branch, title or text names.
 */
export async function tasksOfPullRequests(
  refs: Resolved<{ tasks: typeof tasks }>,
  { urls, repo, texts }: Named,
  tx: Transaction,
): Promise<{ readonly named: readonly Task[]; readonly mentioned: readonly Task[] }> {
  const collection = refs.tasks.in(tx)
  const keys = [...new Set(urls.map(pullRequestKey))]
  const where: Filter<Task> = { prUrl: { exists: true }, prKey: { in: keys }, stage: { in: OPEN } }
  const named = keys.length === 0 ? [] : (await collection.find({ where, limit: MAX_TASKS })).items
  const mentioned: Task[] = []
  for (const taskId of mentionedTasks(...texts)) {
    const task = named.some((one) => one.taskId === taskId) ? undefined : await collection.get(taskId)
    if (task && isOfRepo(task.repo, repo)) mentioned.push(task)
  }
  return { named, mentioned }
}
