import { closed, defined, defineRoute, NotFound, Type } from '@gateway/sdk'
import { updateErrors, updateTask, updateUses } from '../operations/update.ts'
import { shownTask } from '../rules/show.ts'
import { beforeMove, TaskBefore } from '../rules/undo.ts'
import { ShownTask, STATUSES, taskId } from '../schema.ts'

export const tasksMove = defineRoute({
  name: 'tasks.move',
  description:
    'Move a task to another status, for people. Returns {task, before}; `tasks.put-back` takes `before`, which a task at work has none of.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/move',
  input: Type.Object({ taskId, status: Type.Enum(STATUSES) }, closed),
  output: Type.Object({ task: ShownTask, before: Type.Optional(TaskBefore) }, closed),
  errors: updateErrors,
  uses: updateUses,
  async handle({ taskId, status }, refs, ctx) {
    const before = await refs.tasks.get(taskId)
    if (!before) throw NotFound({ what: 'task', id: taskId })
    // Refused if the task changes in between, so that `before` is what the move found.
    const task = await updateTask(refs, { taskId, status, ifUpdatedAt: before.updatedAt }, ctx)
    return { task: shownTask(task), ...defined({ before: beforeMove(before) }) }
  },
})
