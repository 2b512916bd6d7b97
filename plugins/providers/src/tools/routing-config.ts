import { closed, defineTool, Type } from '@gateway/sdk'
import { allAgentTiers, routeUses } from '../operations/route.ts'
import { COMPLEX_FROM, COMPLEXITY_TIERS, TIER_MEANS, WORK_TYPE_TIERS } from '../rules/tables.ts'
import { PROVIDERS, TIERS, type Tier } from '../schema.ts'

const tiersByName = (description: string) => Type.Record(Type.String(), Type.Enum(TIERS), { description })

export const routingConfig = defineTool({
  name: 'routing_config',
  description:
    'Show the tables by which models are chosen: the purpose and models of each tier, and the tier of each agent, work type, complexity level, channel and tool. Returns {tiers, agents, channels, tools, …}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      tiers: Type.Array(
        Type.Object(
          {
            tier: Type.Enum(TIERS),
            description: Type.String(),
            models: Type.Record(Type.String(), Type.String(), { description: 'Models by provider.' }),
          },
          closed,
        ),
      ),
      agents: tiersByName('By agent.'),
      channels: tiersByName('By channel.'),
      tools: tiersByName('By the tool that asks.'),
      workTypes: tiersByName('By type of work.'),
      complexityLevels: tiersByName('By level of complexity.'),
      default: Type.Enum(TIERS),
      upgradeFromComplexity: Type.Number(),
      precedence: Type.Array(Type.String()),
      failoverChain: Type.Array(Type.Enum(PROVIDERS)),
      runnerChain: Type.Array(Type.Enum(PROVIDERS)),
    },
    closed,
  ),
  uses: routeUses,
  async handle(_input, refs) {
    const { pool } = refs
    const { tools, channels, default: fallback } = pool.tables
    const interactive = pool.chain('interactive')
    const modelsOf = (tier: Tier) =>
      Object.fromEntries(interactive.flatMap(({ provider, models }) => (models[tier] === undefined ? [] : [[provider, models[tier]]])))
    return {
      tiers: TIERS.map((tier) => ({ tier, description: TIER_MEANS[tier], models: modelsOf(tier) })),
      agents: await allAgentTiers(refs),
      channels: { ...channels },
      tools: { ...tools },
      workTypes: { ...WORK_TYPE_TIERS },
      complexityLevels: { ...COMPLEXITY_TIERS },
      default: fallback,
      upgradeFromComplexity: COMPLEX_FROM,
      precedence: ['tier', 'workType', 'complexityLevel', 'tool', 'agent', 'channel', 'default'],
      failoverChain: interactive.map(({ provider }) => provider),
      runnerChain: pool.chain('runner').map(({ provider }) => provider),
    }
  },
})
