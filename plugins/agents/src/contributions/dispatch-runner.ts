import { dispatchRunner } from '@gateway/plugin-dispatch/api'
import { models } from '@gateway/plugin-providers/api'
import { contribute } from '@gateway/sdk'
import { agentRunner, registry } from '../api.ts'

/** Agents do their tasks in a dispatch cycle; without a provider their tasks are offered by mail like all others. */
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
