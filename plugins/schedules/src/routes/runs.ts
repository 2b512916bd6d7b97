import { closed, defineRoute, LIST_BYTES, NotFound, Type } from '@gateway/sdk'
import { runs, schedules } from '../collections.ts'
import { MAX_RUNS, Run, scheduleId } from '../schema.ts'

export const scheduleRuns = defineRoute({
  name: 'schedules.runs',
  description: `List the runs of a schedule that have ended, newest first: how each ended, and its result. At most ${MAX_RUNS} are kept.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/schedules/:scheduleId/runs',
  input: Type.Object({ scheduleId }, closed),
  output: Type.Object({ runs: Type.Array(Run) }, closed),
  uses: { schedules, runs },
  async handle({ scheduleId }, { schedules, runs }) {
    if (!(await schedules.get(scheduleId))) throw NotFound({ what: 'schedule', id: scheduleId })
    const { items } = await runs.find({ where: { scheduleId }, sort: { runId: -1 }, limit: MAX_RUNS, maxBytes: LIST_BYTES })
    return { runs: items.map(({ scheduleId: _scheduleId, ...run }) => run) }
  },
})
