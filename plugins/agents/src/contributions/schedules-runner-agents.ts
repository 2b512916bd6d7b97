import { scheduleRunner } from '@gateway/plugin-schedules/api'
import { contribute, defined } from '@gateway/sdk'
import { SCHEDULED } from '../rules/scheduled.ts'

export const agentSchedules = contribute(scheduleRunner, {
  create: () => ({
    kind: 'agent',
    call: ({ target: agent, message = SCHEDULED, repo, includeMemoryContext }) => ({
      tool: 'agents_invoke',
      args: { agent, message, ...defined({ repo }), ...(includeMemoryContext && { includeMemoryContext }) },
    }),
  }),
})
