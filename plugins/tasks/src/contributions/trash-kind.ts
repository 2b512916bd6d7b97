import { trashKind } from '@gateway/plugin-trash/api'
import { contribute } from '@gateway/sdk'
import { dependencyUses, unlink } from '../operations/dependencies.ts'
import { historyUses } from '../operations/history.ts'
import type { Task } from '../schema.ts'

export const TRASH_KIND = 'task'

/** A purged task depends on nothing any more; tasks that depend on it keep waiting until changed. */
export const trashedTasks = contribute(trashKind, {
  uses: { ...dependencyUses, ...historyUses },
  create: (refs) => ({
    kind: TRASH_KIND,
    restoreTool: 'tasks_restore',
    async purged(entries, tx) {
      for (const { payload } of entries) {
        const { taskId, dependsOn } = payload as Task
        await unlink(refs, taskId, dependsOn, tx)
        await refs.histories.in(tx).deleteOne(taskId)
      }
    },
  }),
})
