import type { Resolved, Transaction } from '@gateway/sdk'
import type { tasks } from '../collections.ts'
import { isOfRepo, mentionedTasks } from '../rules/mentioned.ts'
import type { Task } from '../schema.ts'

/** Far beyond what one pull request ends. */
const MAX_TASKS = 100

interface Named {
  /** Pages of pull requests. */
  readonly urls: readonly string[]
  readonly repo: { readonly name: string; readonly fullName: string }
  readonly texts: readonly string[]
}

/** Tasks that name one of the pull requests in `prUrl`, and those of the repo that a branch, title or text names. */
export async function tasksOfPullRequests(
  refs: Resolved<{ tasks: typeof tasks }>,
  { urls, repo, texts }: Named,
  tx: Transaction,
): Promise<{ readonly named: readonly Task[]; readonly mentioned: readonly Task[] }> {
  const collection = refs.tasks.in(tx)
  const pages = urls.flatMap((url) => [url, `${url}/`])
  const named = pages.length === 0 ? [] : (await collection.find({ where: { prUrl: { in: pages } }, limit: MAX_TASKS })).items
  const mentioned: Task[] = []
  for (const taskId of mentionedTasks(...texts)) {
    const task = named.some((one) => one.taskId === taskId) ? undefined : await collection.get(taskId)
    if (task && isOfRepo(task.repo, repo)) mentioned.push(task)
  }
  return { named, mentioned }
}
