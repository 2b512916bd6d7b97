import type { HostedRepo } from '@gateway/plugin-webhooks/api'

const TASK_ID = /(?<![a-z0-9-])task-[0-9a-z]{22}(?![0-9a-z])/g
const MAX_MENTIONED = 20

/** Ids of tasks in these texts, such as `task-…` in a branch `fix/task-…`; at most 20. */
export function mentionedTasks(...texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.toLowerCase().match(TASK_ID) ?? [])
  return [...new Set(found)].slice(0, MAX_MENTIONED)
}

/** True for the branch `task/<id>`, which belongs to this task alone. */
export const isOwnBranch = (branch: string, taskId: string): boolean => branch.toLowerCase() === `task/${taskId}`

/** True if this is the task's repo: by one of its names or its full name, in any case, or as a folder of such a name. */
export function isOfRepo(repo: string, { name, otherNames = [], fullName }: Omit<HostedRepo, 'remotes'>): boolean {
  const said = repo.toLowerCase().replace(/\/+$/, '')
  const last = said.slice(said.lastIndexOf('/') + 1)
  return said === fullName.toLowerCase() || [name, ...otherNames].some((one) => one.toLowerCase() === last)
}
