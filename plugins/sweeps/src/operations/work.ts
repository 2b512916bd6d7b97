import type { Toolbox } from '@gateway/sdk'
import type { Work } from '../rules/rank.ts'
import { ask } from './ask.ts'

/** Most urgent tasks per status: more than a person reads, and few enough to be fast. */
const MAX_TASKS = 500

interface Listed {
  readonly tasks: readonly Work[]
  readonly nextCursor?: string
}

export async function workIn(
  tools: Toolbox,
  statuses: readonly string[],
  limit = MAX_TASKS,
): Promise<{ readonly work: readonly Work[]; readonly truncated: boolean }> {
  const work: Work[] = []
  let truncated = false
  for (const status of statuses) {
    const listed = await ask<Listed>(tools, 'tasks_list', { status, limit })
    if (!listed.there) continue
    work.push(...listed.result.tasks)
    truncated ||= listed.result.nextCursor !== undefined
  }
  return { work, truncated }
}
