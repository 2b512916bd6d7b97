import { closed, defineRoute, Type } from '@gateway/sdk'
import { samples, tasks } from '../collections.ts'
import { TREND_SAMPLES, trendsOf } from '../rules/trend.ts'
import { figuresOf } from '../services/figures.ts'

const points = Type.Array(Type.Integer())

export const tasksCounts = defineRoute({
  name: 'tasks.counts',
  description: 'Count the tasks by status. Returns {counts, trend}; each count stops at countsStopAt.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/counts',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      counts: Type.Object(
        {
          pending: Type.Integer(),
          working: Type.Integer(),
          review: Type.Integer(),
          done: Type.Integer(),
          blocked: Type.Integer(),
          paused: Type.Integer(),
          dead_letter: Type.Integer(),
        },
        closed,
      ),
      countsStopAt: Type.Integer(),
      trend: Type.Object(
        { pending: points, working: points, review: points, blocked: points, dead_letter: points },
        { ...closed, description: 'Counts of about the last day, oldest first; the last is the current one.' },
      ),
    },
    closed,
  ),
  uses: { tasks, samples },
  async handle(_input, { tasks, samples }) {
    const [figures, { items }] = await Promise.all([figuresOf(tasks).byStatus(), samples.find({ sort: { at: -1 }, limit: TREND_SAMPLES })])
    return { ...figures, trend: trendsOf(items, figures.counts) }
  },
})
