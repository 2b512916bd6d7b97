import { closed, defineRoute, Type } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { figuresOf } from '../services/figures.ts'

export const tasksCounts = defineRoute({
  name: 'tasks.counts',
  description: 'Count the tasks by status. Returns {counts}; each count stops at countsStopAt.',
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
    },
    closed,
  ),
  uses: { tasks },
  handle: (_input, { tasks }) => figuresOf(tasks).byStatus(),
})
