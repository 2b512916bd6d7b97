import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'

/** Accepts an instance that reaches review, if its template says so, in the same change. A deleted template accepts nothing. */
export const acceptance = contribute(taskChange, {
  uses: { recurringTasks },
  create: ({ recurringTasks }) => ({
    async apply({ before, after }, tx, moves) {
      if (after.status !== 'review' || before.status === 'review') return
      const { source, sourceId, taskId } = after
      if (source !== 'scheduler' || sourceId === undefined) return
      const template = await recurringTasks.in(tx).get(sourceId)
      if (template?.accept === 'auto') await moves.accept(taskId)
    },
  }),
})
