import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { RecurringTask, recurringId } from '../schema.ts'

export const recurringTasksDelete = defineTool({
  name: 'recurring_tasks_delete',
  description:
    'Remove a template for good: it does not go to the trash. Tasks it enqueued stay in the queue. Returns {recurringTask} as it was.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  input: Type.Object({ recurringId }, closed),
  output: Type.Object({ recurringTask: RecurringTask }, closed),
  uses: { recurringTasks },
  async handle({ recurringId }, { recurringTasks }) {
    const recurringTask = await recurringTasks.deleteOne(recurringId)
    if (!recurringTask) throw NotFound({ what: 'recurring task', id: recurringId })
    return { recurringTask }
  },
})
