import { provide } from '@gateway/sdk'
import { agentRunner } from '../api.ts'
import { invokeAgent, invokeSkill, invokeUses } from '../operations/invoke.ts'

export const runnerProvider = provide(agentRunner, {
  uses: invokeUses,
  create: (refs, ctx) => ({
    invokeAgent: (invocation) => invokeAgent(refs, invocation, ctx),
    invokeSkill: (invocation) => invokeSkill(refs, invocation, ctx),
  }),
})
