import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { routeDays } from '../collections.ts'
import { isLabeled } from '../rules/readiness.ts'

/** A routed task that has ended is a labeled trace of a routing decision: the model it went to, and the outcome. */
export const routedTasks = contribute(taskChange, {
  uses: { routeDays },
  create: ({ routeDays }) => ({
    async apply({ before, after }, tx) {
      if (!isLabeled(before, after)) return
      await routeDays.in(tx).upsert({ day: tx.now.toISOString().slice(0, 10), labeled: 1 }, { inc: { labeled: 1 } })
    },
  }),
})
