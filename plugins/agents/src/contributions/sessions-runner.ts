import { sessionRunner } from '@gateway/plugin-sessions/api'
import { contribute } from '@gateway/sdk'
import { agentRunner, registry } from '../api.ts'

export const sessionMessages = contribute(sessionRunner, {
  uses: { registry, runner: agentRunner },
  create: ({ registry, runner }) => ({
    knows: async (agentName) => (await registry.agent(agentName)) !== undefined,
    async run({ agentName: agent, content: message, history, signal }) {
      const { text, provider, model, tier, usage, stopReason, traceId } = await runner.invokeAgent({ agent, message, history, signal })
      return { content: text, facts: { provider, model, tier, usage, stopReason, traceId } }
    },
  }),
})
