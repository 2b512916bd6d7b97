import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { historyUses } from '../operations/history.ts'
import { storyOf } from '../rules/history.ts'
import { STATUSES, taskId } from '../schema.ts'

const Event = Type.Object(
  {
    seq: Type.Integer({ description: 'From 1, in this answer.' }),
    at: Type.String(),
    what: Type.Enum(['created', 'claimed', ...STATUSES], { description: 'A status: it came into it.' }),
    by: Type.Optional(Type.String({ description: 'Who claimed it, or had it claimed until then.' })),
    byPrincipal: Type.Optional(Type.String({ description: 'Principal that made that claim: `key <label>`, `user <id>`, operator.' })),
    error: Type.Optional(Type.String({ description: 'What went wrong, its first 500 characters.' })),
  },
  closed,
)

export const tasksHistory = defineRoute({
  name: 'tasks.history',
  description: 'List what happened to a task, oldest first: its creation, who claimed it, and its latest 50 moves from status to status.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/:taskId/history',
  input: Type.Object({ taskId }, closed),
  output: Type.Object({ count: Type.Integer(), events: Type.Array(Event) }, closed),
  uses: { tasks, ...historyUses },
  async handle({ taskId }, { tasks, histories }) {
    const task = await tasks.get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    const events = storyOf(task, (await histories.get(taskId))?.moves ?? [])
    return { count: events.length, events: events.map((event, index) => ({ seq: index + 1, ...event })) }
  },
})
