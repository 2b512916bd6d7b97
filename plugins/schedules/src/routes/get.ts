import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { Schedule, scheduleId } from '../schema.ts'

export const getSchedule = defineRoute({
  name: 'schedules.get',
  description: 'Show a schedule: when and what it runs, where its results go, and who is responsible for it. Returns {schedule}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/schedules/:scheduleId',
  input: Type.Object({ scheduleId }, closed),
  output: Type.Object({ schedule: Schedule }, closed),
  uses: { schedules },
  async handle({ scheduleId }, { schedules }) {
    const schedule = await schedules.get(scheduleId)
    if (!schedule) throw NotFound({ what: 'schedule', id: scheduleId })
    return { schedule }
  },
})
