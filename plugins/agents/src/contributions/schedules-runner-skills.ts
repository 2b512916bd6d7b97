import { scheduleRunner } from '@gateway/plugin-schedules/api'
import { contribute } from '@gateway/sdk'
import { registry } from '../api.ts'
import { SCHEDULED } from '../rules/scheduled.ts'

export const skillSchedules = contribute(scheduleRunner, {
  uses: { registry },
  create: ({ registry }) => ({
    kind: 'skill' as const,
    knows: async (target) => (await registry.skill(target)) !== undefined,
    call: ({ target: skill, message = SCHEDULED }) => ({ tool: 'skills_invoke', args: { skill, message } }),
  }),
})
