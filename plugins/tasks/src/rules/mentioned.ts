const TASK_ID = /(?<![a-z0-9-])task-[0-9a-z]{22}(?![0-9a-z])/g
const MAX_MENTIONED = 20

/** Ids of tasks in these texts, such as `task-…` in a branch `fix/task-…`; at most 20. */
export function mentionedTasks(...texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.toLowerCase().match(TASK_ID) ?? [])
  return [...new Set(found)].slice(0, MAX_MENTIONED)
}

/** True for the branch `task/<id>`, which belongs to this task alone. */
export const isOwnBranch = (branch: string, taskId: string): boolean => branch.toLowerCase() === `task/${taskId}`

/** True if this is the task's repo: by its name or its full name, in any case, or as a folder of that name. */
export function isOfRepo(repo: string, { name, fullName }: { readonly name: string; readonly fullName: string }): boolean {
  const said = repo.toLowerCase().replace(/\/+$/, '')
  return said === fullName.toLowerCase() || said.slice(said.lastIndexOf('/') + 1) === name.toLowerCase()
}
