import { scheduleRunner } from '@gateway/plugin-schedules/api'
import { contribute, defined } from '@gateway/sdk'
import { registry } from '../api.ts'
import { SCHEDULED } from '../rules/scheduled.ts'

export const agentSchedules = contribute(scheduleRunner, {
  uses: { registry },
  create: ({ registry }) => ({
    kind: 'agent' as const,
    knows: async (target) => (await registry.agent(target)) !== undefined,
    call: ({ target: agent, message = SCHEDULED, repo, includeMemoryContext }) => ({
      tool: 'agents_invoke',
      args: { agent, message, ...defined({ repo }), ...(includeMemoryContext && { includeMemoryContext }) },
    }),
  }),
})
