import { cutShort, defineTool, LIST_BYTES, Type, truncated } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { RecurringTask, taskFields } from '../schema.ts'

const MAX_LIMIT = 1_000

export const recurringTasksList = defineTool({
  name: 'recurring_tasks_list',
  description: 'List the templates that put tasks into the queue by the clock, the soonest first. Returns {count, recurringTasks}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean({ description: 'Only those that are switched on, or off.' })),
      repo: Type.Optional(taskFields.repo),
      limit: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: `At most ${MAX_LIMIT}; more is cut to it.` })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ count: Type.Integer(), recurringTasks: Type.Array(RecurringTask), truncated }, { additionalProperties: false }),
  uses: { recurringTasks },
  async handle({ enabled, repo, limit = 100 }, { recurringTasks }) {
    const where = { enabled: { in: enabled === undefined ? [true, false] : [enabled] }, ...(repo !== undefined && { repo }) }
    const rows = Math.min(limit, MAX_LIMIT)
    const page = await recurringTasks.find({ where, sort: { nextFireAt: 1 }, limit: rows, maxBytes: LIST_BYTES })
    return { count: page.items.length, recurringTasks: [...page.items], ...cutShort(page, rows) }
  },
})
