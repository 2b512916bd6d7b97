import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { planDays } from '../collections.ts'

/** A day that fired is done when its task is, and enabled again when its task is reopened. */
export const daysFollowTasks = contribute(taskChange, {
  uses: { planDays },
  create: ({ planDays }) => ({
    async apply({ before, after: { source, sourceId, status, taskId } }, tx) {
      if (source !== 'scheduler' || sourceId === undefined || status === before.status) return
      const updatedAt = tx.now.toISOString()
      const days = planDays.in(tx)
      if (status === 'done') await days.updateOne(sourceId, { set: { status: 'done', updatedAt } }, { taskId })
      else if (before.status === 'done')
        await days.updateOne(sourceId, { set: { status: 'enabled', updatedAt } }, { taskId, status: 'done' })
    },
  }),
})
