import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { taskSteps } from '../api.ts'
import { tasks } from '../collections.ts'

/** Each row costs a read of its latest step. */
const MAX_ROWS = 25
const MAX_COUNT = 10_000

const Row = Type.Object(
  {
    taskId: Type.String(),
    title: Type.String(),
    repo: Type.String(),
    agent: Type.Optional(Type.String({ description: 'The worker that claimed it.' })),
    principal: Type.Optional(Type.String()),
    since: Type.Optional(Type.String()),
    lastSignAt: Type.String({ description: 'Its latest step, or else the latest change of the task.' }),
    step: Type.Optional(Type.String({ description: 'The latest step that a session of it reported.' })),
    leaseUntil: Type.Optional(Type.String()),
  },
  closed,
)

export const tasksAtWork = defineRoute({
  name: 'tasks.at-work',
  description: `List who works on what: up to ${MAX_ROWS} claimed tasks, those of the highest priority, each with its last sign of life. Returns {count, tasks}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/at-work',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), tasks: Type.Array(Row) }, closed),
  uses: { tasks, sources: taskSteps },
  async handle(_input, { tasks, sources }) {
    const where = { stage: 'working' } as const
    const { items } = await tasks.find({ where, sort: { priority: 1, createdAt: 1 }, limit: MAX_ROWS })
    const count = items.length < MAX_ROWS ? items.length : await tasks.count(where, { max: MAX_COUNT })
    const rows = await Promise.all(
      items.map(async ({ taskId, title, repo, claimedBy, claimedByPrincipal, claimedAt, leaseUntil, updatedAt }) => {
        const [last] = (await Promise.all(sources.map((source) => source.of(taskId, 1)))).flat().sort((a, b) => (a.at < b.at ? 1 : -1))
        return {
          taskId,
          title,
          repo,
          ...defined({ agent: claimedBy, principal: claimedByPrincipal, since: claimedAt, leaseUntil, step: last?.text }),
          lastSignAt: last !== undefined && last.at > updatedAt ? last.at : updatedAt,
        }
      }),
    )
    return { count, tasks: rows.sort((a, b) => (a.lastSignAt < b.lastSignAt ? 1 : -1)) }
  },
})
