import { closed, defined, defineTool, type Filter, LIST_BYTES, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { tasks } from '../collections.ts'
import { repoName } from '../operations/repo-name.ts'
import { byRank } from '../operations/selection.ts'
import { shownTask } from '../rules/show.ts'
import { assignedAgent, PENDING_STAGES, priority, repo, STAGES, status, Task } from '../schema.ts'

const ROWS = rowLimit(50, 500)

export const tasksList = defineTool({
  name: 'tasks_list',
  description:
    'List tasks, highest priority first, then oldest. Returns {tasks, nextCursor?}; pass nextCursor as cursor for the next page.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  rest: 'GET /api/tasks',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      status: Type.Optional(status),
      priority: Type.Optional(priority),
      assignedAgent: Type.Optional(assignedAgent),
      ...pageArguments(ROWS),
    },
    closed,
  ),
  output: Type.Object({ tasks: Type.Array(Task), nextCursor }, closed),
  uses: { tasks, names: repoNames },
  async handle({ repo: asked, status, priority, assignedAgent, limit, cursor }, { tasks, names }) {
    const repo = await repoName(names, asked)
    const where: Filter<Task> = {
      stage: { in: stagesOf(status) },
      ...defined({ repo, priority, assignedAgent }),
    }
    const page = await tasks.find({
      where,
      sort: byRank,
      limit: ROWS.of(limit),
      maxBytes: LIST_BYTES,
      ...defined({ cursor }),
    })
    return { tasks: page.items.map(shownTask), ...defined({ nextCursor: page.nextCursor }) }
  },
})

/** All stages instead of none, because the indexes have the stage before the rank. */
function stagesOf(status: Task['status'] | undefined): readonly Task['stage'][] {
  if (status === undefined) return STAGES
  return status === 'pending' ? PENDING_STAGES : [status]
}
