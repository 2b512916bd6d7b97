import { defineTool, Type } from '@gateway/sdk'
import { nextTask, queueUses } from '../operations/claim.ts'
import { repo, Task } from '../schema.ts'

export const tasksNext = defineTool({
  name: 'tasks_next',
  description:
    'Look at the task that tasks_claim would take now (P0 first, then oldest) without taking it. Returns {task}, null when none is claimable.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  rest: 'GET /api/tasks/next',
  input: Type.Object({ repo: Type.Optional(repo) }, { additionalProperties: false }),
  output: Type.Object({ task: Type.Union([Task, Type.Null()]) }, { additionalProperties: false }),
  uses: queueUses,
  handle: async (args, refs, ctx) => ({ task: (await nextTask(refs, args, ctx)) ?? null }),
})
