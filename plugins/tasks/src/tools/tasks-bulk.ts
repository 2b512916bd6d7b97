import { closed, defineTool, Type } from '@gateway/sdk'
import { bulkUses, runBatch } from '../operations/bulk.ts'
import { Operation } from '../rules/operation.ts'
import { shownTask } from '../rules/show.ts'
import { ShownTask } from '../schema.ts'

const MAX_OPERATIONS = 100

export const tasksBulk = defineTool({
  name: 'tasks_bulk',
  description:
    'Create, update, cancel and reprioritize up to 100 tasks in order, each on its own. `$N` in taskId, supersededBy or dependsOn is the task created by operation N (from 0) earlier in the batch. Returns a verdict per operation and {total, succeeded, failed}; what stopOnError skips has code SKIPPED and counts as failed.',
  capability: 'work',
  effect: 'destructive',
  rest: 'POST /api/tasks/bulk',
  subject: ['operations[].taskId'],
  input: Type.Object(
    {
      // Any entry is taken here, and judged by itself: a malformed one gets a verdict and refuses no other.
      operations: Type.Array(Type.Union([Operation, Type.Unknown()]), { maxItems: MAX_OPERATIONS, description: 'Run in this order.' }),
      stopOnError: Type.Optional(Type.Boolean({ default: false, description: 'Stop at the first failure.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      results: Type.Array(
        Type.Object(
          {
            index: Type.Integer(),
            action: Type.String(),
            ok: Type.Boolean(),
            taskId: Type.Optional(Type.String()),
            task: Type.Optional(ShownTask),
            error: Type.Optional(Type.String()),
            code: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
      total: Type.Integer(),
      succeeded: Type.Integer(),
      failed: Type.Integer(),
    },
    closed,
  ),
  uses: bulkUses,
  async handle({ operations, stopOnError = false }, refs, ctx) {
    const results = await runBatch(refs, operations, stopOnError, ctx)
    const succeeded = results.filter(({ ok }) => ok).length
    return {
      results: results.map(({ task, ...verdict }) => ({ ...verdict, ...(task && { task: shownTask(task) }) })),
      total: results.length,
      succeeded,
      failed: results.length - succeeded,
    }
  },
})
