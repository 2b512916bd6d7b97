import { closed, defineRoute, now, Type } from '@gateway/sdk'
import { executions } from '../collections.ts'
import { byHour } from '../rules/hours.ts'

const MAX_HOURS = 7 * 24
const HOUR_SECONDS = 3_600

export const runnersThroughput = defineRoute({
  name: 'runners.throughput',
  description: 'Count the executions of tasks that ended in each of the last hours, and those that failed. Returns {hours, done, failed}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runners/throughput',
  input: Type.Object(
    { hours: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_HOURS, default: 24, description: 'Hours up to now.' })) },
    closed,
  ),
  output: Type.Object(
    {
      hours: Type.Array(Type.Object({ hour: Type.String(), done: Type.Integer(), failed: Type.Integer() }, closed), {
        description: 'Oldest first; the last one is not over.',
      }),
      done: Type.Integer(),
      failed: Type.Integer(),
    },
    closed,
  ),
  uses: { executions },
  async handle({ hours = 24 }, { executions }, ctx) {
    const where = { from: { gt: now(-(hours * HOUR_SECONDS)) } }
    const groups = await executions.group({ where, by: ['from'], sum: ['count', 'failed'] })
    const steps = groups.map(({ key, sums }) => ({ from: String(key[0]), count: sums.count ?? 0, failed: sums.failed ?? 0 }))
    const all = byHour(steps, hours, ctx.now())
    const sum = (of: 'done' | 'failed'): number => all.reduce((total, hour) => total + hour[of], 0)
    return { hours: [...all], done: sum('done'), failed: sum('failed') }
  },
})
