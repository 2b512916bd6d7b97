import { closed, defineRoute, Type } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'

const RUNS = 3

export const dashboardCron = defineRoute({
  name: 'dashboard.cron',
  description: `Compute the next ${RUNS} times at which a cron expression fires. Returns {nextRuns}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/cron',
  input: Type.Object({ expression: Type.String({ minLength: 1, maxLength: 200, description: 'Five fields, in UTC.' }) }, closed),
  output: Type.Object({ nextRuns: Type.Array(Type.String()) }, closed),
  handle: async ({ expression }, _refs, ctx) => ({
    nextRuns: cronTimes(expression, 'expression')
      .upcoming(ctx.now(), RUNS)
      .map((time) => time.toISOString()),
  }),
})
