import { contribute } from '@gateway/sdk'
import { routeTraceSource } from '../api.ts'
import { routeDays } from '../collections.ts'

/** Traces of tasks, by the days on which they were labeled. */
export const tracesOfTasks = contribute(routeTraceSource, {
  uses: { routeDays },
  create: ({ routeDays }) => ({
    async labeled(since = '') {
      const groups = await routeDays.group({ where: { day: { gte: since.slice(0, 10) } }, by: [], sum: ['labeled'] })
      return groups[0]?.sums.labeled ?? 0
    },
  }),
})
