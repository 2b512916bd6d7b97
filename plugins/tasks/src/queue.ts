import { provide } from '@gateway/sdk'
import { taskQueue } from './api.ts'
import { createTaskIn } from './operations/create.ts'
import { dependencyUses } from './operations/dependencies.ts'

export const queueProvider = provide(taskQueue, {
  uses: dependencyUses,
  create: (refs, ctx) => ({
    enqueue: (draft, tx) => createTaskIn(tx, refs, draft, ctx),
    get: (taskId, tx) => refs.tasks.in(tx).get(taskId),
  }),
})
