import { defineTool, type Filter, LIST_BYTES, Type } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { byRank } from '../operations/selection.ts'
import { assignedAgent, PENDING_STAGES, priority, repo, STAGES, status, Task } from '../schema.ts'

const MAX_LIMIT = 500

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
      limit: Type.Optional(Type.Integer({ minimum: 1, default: 50, description: `At most ${MAX_LIMIT}; more is cut to it.` })),
      cursor: Type.Optional(Type.String({ maxLength: 2_000, description: 'nextCursor of the page before, with the same filters.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ tasks: Type.Array(Task), nextCursor: Type.Optional(Type.String()) }, { additionalProperties: false }),
  uses: { tasks },
  async handle({ repo, status, priority, assignedAgent, limit = 50, cursor }, { tasks }) {
    const where: Filter<Task> = {
      stage: { in: stagesOf(status) },
      ...(repo !== undefined && { repo }),
      ...(priority !== undefined && { priority }),
      ...(assignedAgent !== undefined && { assignedAgent }),
    }
    const page = await tasks.find({
      where,
      sort: byRank,
      limit: Math.min(limit, MAX_LIMIT),
      maxBytes: LIST_BYTES,
      ...(cursor !== undefined && { cursor }),
    })
    return { tasks: [...page.items], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
  },
})

/** All stages rather than none: the indexes have the stage before the rank. */
function stagesOf(status: Task['status'] | undefined): readonly Task['stage'][] {
  if (status === undefined) return STAGES
  return status === 'pending' ? PENDING_STAGES : [status]
}
