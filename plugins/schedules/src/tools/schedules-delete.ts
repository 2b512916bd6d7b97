import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { Schedule, scheduleId } from '../schema.ts'

export const schedulesDelete = defineTool({
  name: 'schedules_delete',
  description: 'Remove a schedule for good: it does not go to the trash. A run that is under way goes on. Returns {schedule} as it was.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/schedules/:scheduleId',
  input: Type.Object({ scheduleId }, closed),
  output: Type.Object({ schedule: Schedule }, closed),
  uses: { schedules },
  async handle({ scheduleId }, { schedules }) {
    const schedule = await schedules.deleteOne(scheduleId)
    if (!schedule) throw NotFound({ what: 'schedule', id: scheduleId })
    return { schedule }
  },
})
