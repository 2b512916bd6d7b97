import { taskQueue } from '@gateway/plugin-tasks/api'
import { closed, defineTool, Type, withIdempotencyKey } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { nextFire, preview } from '../rules/times.ts'
import { acceptOrManual, cronExpr, name, overlapPolicyOrSkip, taskFields, written } from '../schema.ts'

export const recurringTasksCreate = defineTool({
  name: 'recurring_tasks_create',
  description:
    'Put a task of the same kind into the queue of a repo again and again, on a cron expression in UTC. Returns {recurringTask, nextFires}, the next three times it fires.',
  capability: 'configure',
  effect: 'write',
  subject: ['name', 'repo'],
  input: withIdempotencyKey(
    Type.Object(
      {
        name,
        cronExpr,
        ...taskFields,
        overlapPolicy: Type.Optional(overlapPolicyOrSkip),
        accept: Type.Optional(acceptOrManual),
        enabled: Type.Optional(Type.Boolean({ default: true, description: 'false: keep it, but do not fire it.' })),
      },
      closed,
    ),
  ),
  output: written,
  uses: { recurringTasks, queue: taskQueue },
  check: ({ cronExpr }, ctx) => void preview(cronExpr, ctx),
  async handle({ priority = 'P2', overlapPolicy = 'skip', accept = 'manual', enabled = true, ...given }, { recurringTasks, queue }, ctx) {
    const now = ctx.now()
    const nextFires = preview(given.cronExpr, ctx)
    const recurringTask = await recurringTasks.insert({
      ...given,
      repo: await queue.repoName(given.repo, { stores: true }),
      recurringId: ctx.newId('recurring-'),
      priority,
      overlapPolicy,
      accept,
      enabled,
      nextFireAt: nextFire(given.cronExpr, now),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    })
    return { recurringTask, nextFires }
  },
})
