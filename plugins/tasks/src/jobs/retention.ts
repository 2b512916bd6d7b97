import { daysAgo, defineRetention } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { config } from '../config.ts'
import { dependencyUses, unlink } from '../operations/dependencies.ts'
import { historyUses } from '../operations/history.ts'
import { byRank } from '../operations/selection.ts'
import { PRIORITIES, type Status } from '../schema.ts'

/** Statuses in which no work on a task goes on unless somebody changes it. */
const TERMINAL = ['done', 'blocked', 'dead_letter'] as const satisfies readonly Status[]

/** Removes tasks that ended the configured number of days ago: by `completedAt`, or without one, by their last change. */
export const retention = defineRetention('tasks.retention', {
  collection: tasks,
  config,
  past({ retentionDays }) {
    const past = { lt: daysAgo(retentionDays) }
    const ended = [{ completedAt: past }, { completedAt: null, updatedAt: past }]
    // Younger tasks cannot have ended that long ago, and the index of the queue finds the older ones.
    return { where: { stage: { in: TERMINAL }, priority: { in: PRIORITIES }, createdAt: past, or: ended }, sort: { stage: 1, ...byRank } }
  },
  uses: { ...dependencyUses, ...historyUses },
  async purged(gone, refs, tx) {
    for (const { taskId, dependsOn } of gone) {
      await unlink(refs, taskId, dependsOn, tx)
      await refs.histories.in(tx).deleteOne(taskId)
    }
  },
})
