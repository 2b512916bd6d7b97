import { atomically, checkUnchanged, closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { BulkBlockGuard } from '../errors.ts'
import { guardBlock, guardUses } from '../operations/block-guard.ts'
import { changeUses, writeChange } from '../operations/change.ts'
import { isAutomated } from '../rules/automated.ts'
import { shownTask } from '../rules/show.ts'
import { putBack, TaskBefore } from '../rules/undo.ts'
import { ShownTask, taskId } from '../schema.ts'

export const tasksPutBack = defineRoute({
  name: 'tasks.put-back',
  description: 'Take back a move of a task that nothing has changed since. Returns {task}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/put-back',
  input: Type.Object(
    {
      taskId,
      before: TaskBefore,
      ifUpdatedAt: Type.String({ minLength: 1, maxLength: 40, description: '`updatedAt` of the task in the answer of the move.' }),
    },
    closed,
  ),
  output: Type.Object({ task: ShownTask }, closed),
  errors: [BulkBlockGuard],
  uses: { ...changeUses, ...guardUses, atomically },
  handle: async ({ taskId, before, ifUpdatedAt }, refs, ctx) => ({
    task: shownTask(
      await refs.atomically(async (tx) => {
        const task = await refs.tasks.in(tx).get(taskId)
        if (!task) throw NotFound({ what: 'task', id: taskId })
        checkUnchanged(task, ifUpdatedAt)
        await guardBlock(refs, task, { taskId, status: before.status, operatorAuthorized: !isAutomated(ctx) }, tx)
        return writeChange(refs, task, putBack(task, before, tx.now), tx)
      }),
    ),
  }),
})
