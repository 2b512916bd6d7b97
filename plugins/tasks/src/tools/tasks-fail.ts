import { closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { failTask, failUses } from '../operations/fail.ts'
import { shownTask } from '../rules/show.ts'
import { claimId, errorText, ShownTask, taskId } from '../schema.ts'

export const tasksFail = defineTool({
  name: 'tasks_fail',
  description:
    'Report that a task you work on failed: it is retried after 5, 10, 20 … minutes (at most 6 h), and becomes dead_letter when its retries are used up. Use this, not status blocked, for a genuine failure. Returns {task}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/fail',
  input: Type.Object({ taskId, error: Type.Optional(errorText), claimId: Type.Optional(claimId), ifUpdatedAt }, closed),
  output: Type.Object({ task: ShownTask }, closed),
  uses: failUses,
  handle: async ({ error, ...args }, refs) => ({
    task: shownTask(await failTask(refs, { ...args, error: error?.trim() ? error : 'failed without a message' })),
  }),
})
