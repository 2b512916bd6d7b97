import { atomically, closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { runs, schedules } from '../collections.ts'
import { Schedule, scheduleId } from '../schema.ts'

export const schedulesDelete = defineTool({
  name: 'schedules_delete',
  description:
    'Remove a schedule and its runs for good: it does not go to the trash. A run in progress continues. Returns {schedule} as it was.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/schedules/:scheduleId',
  input: Type.Object({ scheduleId }, closed),
  output: Type.Object({ schedule: Schedule }, closed),
  uses: { schedules, runs, atomically },
  handle: ({ scheduleId }, { schedules, runs, atomically }) =>
    atomically(async (tx) => {
      const schedule = await schedules.in(tx).deleteOne(scheduleId)
      if (!schedule) throw NotFound({ what: 'schedule', id: scheduleId })
      await runs.in(tx).deleteMany({ scheduleId })
      return { schedule }
    }),
})
