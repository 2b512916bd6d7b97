import { scheduleRunner } from '@gateway/plugin-schedules/api'
import { contribute } from '@gateway/sdk'
import { SCHEDULED } from '../rules/scheduled.ts'

export const skillSchedules = contribute(scheduleRunner, {
  create: () => ({
    kind: 'skill',
    call: ({ target: skill, message = SCHEDULED }) => ({ tool: 'skills_invoke', args: { skill, message } }),
  }),
})
