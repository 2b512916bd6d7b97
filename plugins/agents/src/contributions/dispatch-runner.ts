import { dispatchRunner } from '@gateway/plugin-dispatch/api'
import { models } from '@gateway/plugin-providers/api'
import { contribute, defined } from '@gateway/sdk'
import { agentRunner, registry } from '../api.ts'
import { CHANNEL_OF } from '../operations/agent-loop.ts'
import { keptAsSession, keptSessionUses } from '../operations/kept-session.ts'
import { countOffHours, offHoursUses } from '../operations/off-hours.ts'
import { pinOf, stampsOf } from '../rules/task-routing.ts'

const NO_PROVIDER =
  'Its agent runs in the gateway, and no provider of models is configured. Configure one under plugins.providers, or start a runner that serves the agent.'

/**
 * Agents whose definition says `runs: here` do their tasks in a dispatch cycle. Without a provider, or for a pinned model that no provider
 * has, the tasks wait for runners like all others.
 */
export const dispatchedTasks = contribute(dispatchRunner, {
  uses: { models, registry, runner: agentRunner, ...keptSessionUses, ...offHoursUses },
  create: ({ models, registry, runner, plan: terms, ...kept }, ctx) => ({
    async agents() {
      if (!models.configured) return []
      return (await registry.agents()).items.flatMap(({ name, runs }) => (runs === 'here' ? [name] : []))
    },
    serves: (model) => models.serves(model),
    async plan(task) {
      const agent = task.assignedAgent === undefined ? undefined : await registry.agent(task.assignedAgent)
      if (!models.configured || agent?.runs !== 'here') return undefined
      const pin = pinOf(task, (model) => models.serves(model))
      if (pin === 'elsewhere') return undefined
      const workType = task.workType ?? agent.workType ?? 'agentic-autonomous'
      const query = { agent: agent.name, channelType: CHANNEL_OF[ctx.via], ...pin, ...defined({ workType: task.workType }) }
      return (await models.takes(query)) ? { ...stampsOf(await models.route(query)), workType } : 'later'
    },
    async obstacle(task) {
      const agent = task.assignedAgent === undefined ? undefined : await registry.agent(task.assignedAgent)
      return agent?.runs === 'here' && !models.configured ? NO_PROVIDER : undefined
    },
    async run({ taskId, workType, ...work }, task) {
      const pin = pinOf(task, (model) => models.serves(model))
      const routed = { ...(pin !== 'elsewhere' && pin), ...defined({ workType: task.workType }) }
      const invocation = { ...work, ...routed, taskId }
      const run = () => runner.invokeAgent(invocation)
      const invoked = await keptAsSession(kept, invocation, { taskId }, ctx, () => countOffHours({ plan: terms }, ctx, run))
      const { text, usage, stopReason, limit, turns, toolCalls, routing, hops } = invoked
      const made = toolCalls.filter(({ error }) => error === undefined).length
      const stamps = { ...stampsOf(routing), workType, workTypeFailoverHop: hops }
      return { text, outputTokens: usage.outputTokens, stopReason, ...defined({ reason: limit?.message }), turns, toolCalls: made, stamps }
    },
  }),
})
