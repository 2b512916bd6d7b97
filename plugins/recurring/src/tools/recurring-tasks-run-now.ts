import { closed, defineTool, Type } from '@gateway/sdk'
import { fireNow, fireUses } from '../operations/fire.ts'
import { RecurringTask, recurringId } from '../schema.ts'

export const recurringTasksRunNow = defineTool({
  name: 'recurring_tasks_run_now',
  description:
    'Fire a template at once, also one that is switched off. When it fires next by itself stays as it was; with overlapPolicy skip nothing is enqueued while its task before is open. Returns {recurringTask, enqueued, taskId?}.',
  capability: 'configure',
  effect: 'write',
  input: Type.Object({ recurringId }, closed),
  output: Type.Object(
    {
      recurringTask: RecurringTask,
      enqueued: Type.Boolean({ description: 'false: its task before is open.' }),
      taskId: Type.Optional(Type.String({ description: 'The task that was enqueued.' })),
    },
    closed,
  ),
  uses: fireUses,
  async handle({ recurringId }, refs) {
    const { recurringTask, task } = await fireNow(refs, recurringId)
    return { recurringTask, enqueued: task !== undefined, ...(task && { taskId: task.taskId }) }
  },
})
