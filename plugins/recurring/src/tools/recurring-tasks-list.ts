import { taskQueue } from '@gateway/plugin-tasks/api'
import { closed, cutShort, defined, defineTool, LIST_BYTES, rowLimit, Type, truncated } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { RecurringTask, taskFields } from '../schema.ts'

const ROWS = rowLimit(100, 1_000)

export const recurringTasksList = defineTool({
  name: 'recurring_tasks_list',
  description: 'List the templates that put tasks into the queue on a schedule, the soonest first. Returns {count, recurringTasks}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean({ description: 'true: only enabled ones; false: only disabled ones.' })),
      repo: Type.Optional(taskFields.repo),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ count: Type.Integer(), recurringTasks: Type.Array(RecurringTask), truncated }, closed),
  uses: { recurringTasks, queue: taskQueue },
  async handle({ enabled, repo: asked, limit }, { recurringTasks, queue }) {
    // Earlier versions stored a folder or a remote as it was given.
    const repo = asked === undefined ? undefined : { in: [...new Set([asked, await queue.repoName(asked)])] }
    const where = { enabled: { in: enabled === undefined ? [true, false] : [enabled] }, ...defined({ repo }) }
    const rows = ROWS.of(limit)
    const page = await recurringTasks.find({ where, sort: { nextFireAt: 1 }, limit: rows, maxBytes: LIST_BYTES })
    return { count: page.items.length, recurringTasks: [...page.items], ...cutShort(page, rows) }
  },
})
