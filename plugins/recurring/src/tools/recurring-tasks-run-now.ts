import { closed, defineTool, Type } from '@gateway/sdk'
import { fireNow, fireUses } from '../operations/fire.ts'
import { RecurringTask, recurringId } from '../schema.ts'

export const recurringTasksRunNow = defineTool({
  name: 'recurring_tasks_run_now',
  description:
    'Fire a template at once, even a disabled one. Its next scheduled fire stays as it was; with overlapPolicy skip nothing is enqueued while its previous task is open. Returns {recurringTask, enqueued, taskId?}.',
  capability: 'configure',
  effect: 'write',
  input: Type.Object({ recurringId }, closed),
  output: Type.Object(
    {
      recurringTask: RecurringTask,
      enqueued: Type.Boolean({ description: 'false: its previous task is open.' }),
      taskId: Type.Optional(Type.String({ description: 'Enqueued task.' })),
    },
    closed,
  ),
  uses: fireUses,
  async handle({ recurringId }, refs) {
    const { recurringTask, task } = await fireNow(refs, recurringId)
    return { recurringTask, enqueued: task !== undefined, ...(task && { taskId: task.taskId }) }
  },
})
