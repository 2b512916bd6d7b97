import { PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { TIERS, WORK_TYPES } from '@gateway/plugin-providers/api'
import { closed, defined, defineTool, repoText, Type } from '@gateway/sdk'
import { agentRunner, invocationErrors } from '../api.ts'
import { checkMemory } from '../operations/invoke.ts'
import { keptAsSession, keptSessionUses } from '../operations/kept-session.ts'
import { countOffHours, offHoursUses } from '../operations/off-hours.ts'
import { invokedFields, maxTokens, message } from '../schema.ts'

export const agentsInvoke = defineTool({
  name: 'agents_invoke',
  description:
    'Ask a specialist agent for work: its instructions are the system prompt, your message the task; it may call the tools it lists, as you. The model is that of tier, else of workType, else of the agent. Returns {agent, text, stopReason, toolCalls, usage, traceId, …}.',
  capability: 'work',
  effect: 'write',
  openWorld: true,
  input: Type.Object(
    {
      agent: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the agent, from agents_list.' }),
      message,
      repo: Type.Optional(repoText(200, { description: 'Repo that the work is about.' })),
      includeMemoryContext: Type.Optional(
        Type.Boolean({ default: false, description: 'Add the memory of the repo that is nearest to the message. Needs repo.' }),
      ),
      maxTokens,
      tier: Type.Optional(Type.Enum(TIERS)),
      workType: Type.Optional(Type.Enum(WORK_TYPES)),
    },
    closed,
  ),
  output: Type.Object(
    {
      agent: Type.String(),
      ...invokedFields,
      memoryChunks: Type.Optional(Type.Integer({ description: 'Number of memory chunks that were added.' })),
    },
    closed,
  ),
  errors: [...invocationErrors, PlanLimitReached],
  uses: { runner: agentRunner, ...offHoursUses, ...keptSessionUses },
  check: checkMemory,
  async handle(invocation, { runner, ...refs }, ctx) {
    const { repo } = invocation
    const work = () => countOffHours(refs, ctx, () => runner.invokeAgent(invocation))
    const invoked = await keptAsSession(refs, invocation, { ...defined({ repo }) }, ctx, work)
    return { agent: invocation.agent, ...invoked }
  },
})
