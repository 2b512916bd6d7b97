import { closed, defined, defineTool, Type } from '@gateway/sdk'
import { SETTING } from '../operations/provider-pool.ts'
import { decide, routeUses, routingOf } from '../operations/route.ts'
import { payerOf } from '../operations/spending.ts'
import { CHANNEL_TYPES, COMPLEXITY_LEVELS, MODES, RoutingPreview, TIERS, WORK_TYPES } from '../schema.ts'

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

export const routingInfo = defineTool({
  name: 'routing_info',
  description:
    'Show which provider and model a piece of work would go to now, and the rule that decides: the first given of tier, workType, complexityLevel, tool, agent, channelType. Calls no model. Returns {provider, model, tier, rule, reason, chain, …}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      tier: Type.Optional(Type.Enum(TIERS)),
      workType: Type.Optional(Type.Enum(WORK_TYPES)),
      agent: name,
      channelType: Type.Optional(Type.Enum(CHANNEL_TYPES)),
      tool: name,
      complexity: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: '0.8 or more raises the tier by one.' })),
      complexityLevel: Type.Optional(Type.Enum(COMPLEXITY_LEVELS)),
      mode: Type.Optional(Type.Enum(MODES, { description: 'Default: runner for the channel scheduler, else interactive.' })),
    },
    closed,
  ),
  output: RoutingPreview,
  uses: routeUses,
  async handle(query, refs, ctx) {
    const decision = await decide(refs, query, payerOf(query, ctx), ctx)
    const now = ctx.now().getTime()
    const { pool } = refs
    const chain = decision.candidates.map(({ provider, model }) => {
      const closed = pool.gate(provider).closed(now)
      const price = pool.priceAt(provider, model)
      const { calls, rate } = pool.experience.of(provider, model, now)
      return {
        provider,
        model,
        available: closed === undefined,
        ...defined({ why: closed?.why, price }),
        calls: Math.round(calls),
        successRate: Number(rate.toFixed(3)),
      }
    })
    const { candidate, passed } = pool.look(decision.candidates, now)
    if (!candidate) return { provider: null, model: null, ...decision.decided, missing: SETTING, chain }
    const price = pool.priceAt(candidate.provider, candidate.model)
    return { ...routingOf(decision, candidate, passed), ...defined({ price }), chain }
  },
})
