import {
  BadRequest,
  closed,
  defined,
  defineTool,
  type Filter,
  LIST_BYTES,
  nextCursor,
  nonBlankText,
  pageArguments,
  rowLimit,
  Type,
} from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { tasks } from '../collections.ts'
import { repoName } from '../operations/repo-name.ts'
import { searchTasks } from '../operations/search.ts'
import { byRank } from '../operations/selection.ts'
import { shownTask } from '../rules/show.ts'
import { assignedAgent, PENDING_STAGES, priority, repo, ShownTask, STAGES, status, type Task, taskId } from '../schema.ts'

const ROWS = rowLimit(50, 500)

export const tasksList = defineTool({
  name: 'tasks_list',
  description: 'List tasks, highest priority first, then oldest. Returns {tasks, nextCursor?}.',
  capability: 'read',
  effect: 'read',
  app: 'ui://gateway/desk',
  listing: 'core',
  rest: 'GET /api/tasks',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      status: Type.Optional(status),
      priority: Type.Optional(priority),
      assignedAgent: Type.Optional(assignedAgent),
      taskId: Type.Optional(taskId),
      q: Type.Optional(nonBlankText(500, { description: 'Words of title and description; best match first, one page.' })),
      ...pageArguments(ROWS),
    },
    closed,
  ),
  output: Type.Object({ tasks: Type.Array(ShownTask), nextCursor }, closed),
  uses: { tasks, names: repoNames },
  check({ q, cursor }) {
    if (q !== undefined && cursor !== undefined)
      throw BadRequest({ field: 'cursor', message: '`cursor` does not go with `q`, whose matches are one page.' })
  },
  async handle({ taskId, q, limit, cursor, repo: asked, ...others }, { tasks, names }) {
    const filters = { ...others, ...defined({ repo: await repoName(names, asked) }) }
    const { repo, status, priority, assignedAgent } = filters
    const where: Filter<Task> = {
      stage: { in: stagesOf(status) },
      ...defined({ repo, priority, assignedAgent, taskId }),
    }
    if (q !== undefined) {
      return { tasks: (await searchTasks(tasks, q, where, ROWS.of(limit))).map(shownTask) }
    }
    if (taskId !== undefined) {
      const task = await tasks.get(taskId)
      const fits =
        task !== undefined &&
        (['repo', 'status', 'priority', 'assignedAgent'] as const).every((field) => {
          return filters[field] === undefined || filters[field] === task[field]
        })
      return { tasks: fits ? [shownTask(task)] : [] }
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
