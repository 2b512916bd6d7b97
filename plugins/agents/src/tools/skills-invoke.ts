import { PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { TIERS, WORK_TYPES } from '@gateway/plugin-providers/api'
import { closed, defineTool, Type } from '@gateway/sdk'
import { agentRunner, invocationErrors } from '../api.ts'
import { countOffHours, offHoursUses } from '../operations/off-hours.ts'
import { invokedFields, maxTokens, message } from '../schema.ts'

export const skillsInvoke = defineTool({
  name: 'skills_invoke',
  description:
    'Run a skill: its playbook is the system prompt, your message what it is run on; it may call the tools of its agent, as you. Returns {skill, text, stopReason, toolCalls, usage, traceId, …}.',
  capability: 'work',
  effect: 'write',
  openWorld: true,
  input: Type.Object(
    {
      skill: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the skill, from skills_list.' }),
      message,
      maxTokens,
      tier: Type.Optional(Type.Enum(TIERS)),
      workType: Type.Optional(Type.Enum(WORK_TYPES)),
    },
    closed,
  ),
  output: Type.Object({ skill: Type.String(), ...invokedFields }, closed),
  errors: [...invocationErrors, PlanLimitReached],
  uses: { runner: agentRunner, ...offHoursUses },
  async handle(invocation, { runner, ...refs }, ctx) {
    const invoked = await countOffHours(refs, ctx, () => runner.invokeSkill(invocation))
    return { skill: invocation.skill, ...invoked }
  },
})
