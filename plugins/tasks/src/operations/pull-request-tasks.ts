import type { Resolved, Transaction } from '@gateway/sdk'
import type { tasks } from '../collections.ts'
import { isOfRepo, mentionedTasks } from '../rules/mentioned.ts'
import type { Task } from '../schema.ts'

/** Far beyond what one pull request ends. */
const MAX_TASKS = 100

interface PullRequest {
  readonly url: string
  readonly repo: { readonly name: string; readonly fullName: string }
  readonly texts: readonly string[]
}

/** Tasks that name the pull request in `prUrl`, and those of its repo that its branch, title or text names. */
export async function tasksOfPullRequest(
  refs: Resolved<{ tasks: typeof tasks }>,
  { url, repo, texts }: PullRequest,
  tx: Transaction,
): Promise<{ readonly named: readonly Task[]; readonly mentioned: readonly Task[] }> {
  const collection = refs.tasks.in(tx)
  const { items: named } = await collection.find({ where: { prUrl: { in: [url, `${url}/`] } }, limit: MAX_TASKS })
  const mentioned: Task[] = []
  for (const taskId of mentionedTasks(...texts)) {
    const task = named.some((one) => one.taskId === taskId) ? undefined : await collection.get(taskId)
    if (task && isOfRepo(task.repo, repo)) mentioned.push(task)
  }
  return { named, mentioned }
}
