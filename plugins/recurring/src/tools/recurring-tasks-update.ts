import { taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, checkUnchanged, closed, defined, defineTool, ifUpdatedAt, NotFound, now, Type } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { nextFire, preview } from '../rules/times.ts'
import { accept, cronExpr, name, overlapPolicy, PRIORITIES, recurringId, taskFields, written } from '../schema.ts'

const { priority: _withDefault, ...others } = taskFields

export const recurringTasksUpdate = defineTool({
  name: 'recurring_tasks_update',
  description:
    'Change a template; omitted fields stay, and so do tasks it enqueued. A new cronExpr counts from now, and so does enabling it. Returns {recurringTask, nextFires}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object(
    {
      recurringId,
      ...Type.Partial(Type.Object({ name, cronExpr, ...others, overlapPolicy, accept })).properties,
      priority: Type.Optional(Type.Enum(PRIORITIES, { description: 'P0 is highest.' })),
      enabled: Type.Optional(Type.Boolean({ description: 'Fires when due.' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: written,
  uses: { recurringTasks, atomically, queue: taskQueue },
  async handle({ recurringId, ifUpdatedAt: expected, ...given }, { recurringTasks, atomically, queue }, ctx) {
    const repo = given.repo === undefined ? undefined : await queue.repoName(given.repo, { stores: true })
    const change = { ...given, ...defined({ repo }) }
    const recurringTask = await atomically(async (tx) => {
      const before = await recurringTasks.in(tx).get(recurringId)
      if (!before) throw NotFound({ what: 'recurring task', id: recurringId })
      checkUnchanged(before, expected)
      const { cronExpr = before.cronExpr } = change
      const restarts = cronExpr !== before.cronExpr || (change.enabled === true && !before.enabled)
      const set = { ...change, ...(restarts && { nextFireAt: nextFire(cronExpr, ctx.now()) }), updatedAt: now() }
      return (await recurringTasks.in(tx).updateOne(recurringId, { set })) ?? before
    })
    return { recurringTask, nextFires: preview(recurringTask.cronExpr, ctx) }
  },
})
