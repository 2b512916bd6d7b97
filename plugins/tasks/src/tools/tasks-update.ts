import { closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { updateErrors, updateTask, updateUses } from '../operations/update.ts'
import { Task, updateInput } from '../schema.ts'

export const tasksUpdate = defineTool({
  name: 'tasks_update',
  description:
    'Change a task. A worker passes its claimId, and reports a failure with tasks_fail instead of setting blocked. Returns {task}.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  rest: 'PATCH /api/tasks/:taskId',
  input: Type.Object({ ...updateInput.properties, ifUpdatedAt }, closed),
  output: Type.Object({ task: Task }, closed),
  errors: updateErrors,
  uses: updateUses,
  handle: async (args, refs, ctx) => ({ task: await updateTask(refs, args, ctx) }),
})
