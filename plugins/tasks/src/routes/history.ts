import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { taskSteps } from '../api.ts'
import { tasks } from '../collections.ts'
import { historyUses } from '../operations/history.ts'
import { storyOf } from '../rules/history.ts'
import { STATUSES, taskId } from '../schema.ts'

const MAX_STEPS = 100

const Event = Type.Object(
  {
    seq: Type.Integer({ description: 'Number from 1, within this answer.' }),
    at: Type.String(),
    what: Type.Enum(['created', 'claimed', 'step', ...STATUSES], {
      description: 'A status: the task entered it. step: a session that works on the task was observed.',
    }),
    by: Type.Optional(Type.String({ description: 'Worker that claimed it, or held the claim until then.' })),
    byPrincipal: Type.Optional(Type.String({ description: 'Principal that made that claim: `key <label>`, `user <id>`, operator.' })),
    text: Type.Optional(Type.String({ description: 'The step.' })),
    error: Type.Optional(Type.String({ description: 'First 500 characters of the error.' })),
  },
  closed,
)

export const tasksHistory = defineRoute({
  name: 'tasks.history',
  description:
    'List what happened to a task, oldest first: its creation, who claimed it, its latest 50 moves from status to status, and the latest 100 steps of the sessions that work on it.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/:taskId/history',
  input: Type.Object({ taskId }, closed),
  output: Type.Object({ count: Type.Integer(), events: Type.Array(Event) }, closed),
  uses: { tasks, ...historyUses, sources: taskSteps },
  async handle({ taskId }, { tasks, histories, sources }) {
    const task = await tasks.get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    const moves = storyOf(task, (await histories.get(taskId))?.moves ?? [])
    const steps = (await Promise.all(sources.map((source) => source.of(taskId, MAX_STEPS)))).flat()
    const events = [...moves, ...steps.map((step) => ({ what: 'step' as const, ...step }))].sort((a, b) =>
      a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
    )
    return { count: events.length, events: events.map((event, index) => ({ seq: index + 1, ...event })) }
  },
})
