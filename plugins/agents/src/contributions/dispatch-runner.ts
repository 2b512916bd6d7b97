import { dispatchRunner } from '@gateway/plugin-dispatch/api'
import { models } from '@gateway/plugin-providers/api'
import { contribute } from '@gateway/sdk'
import { agentRunner, registry } from '../api.ts'

/** Tasks of agents are done by them in a dispatch cycle; without a provider they are offered by mail as those of all others. */
export const dispatchedTasks = contribute(dispatchRunner, {
  uses: { models, registry, runner: agentRunner },
  create: ({ models, registry, runner }) => ({
    knows: async (agent) => models.configured && (await registry.agent(agent)) !== undefined,
    async run(work) {
      const { text, usage } = await runner.invokeAgent(work)
      return { text, outputTokens: usage.outputTokens }
    },
  }),
})
