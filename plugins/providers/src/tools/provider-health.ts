import { closed, defineTool, gatewayWide, Type } from '@gateway/sdk'
import { states } from '../collections.ts'
import { pool } from '../operations/provider-pool.ts'
import { sharedState } from '../operations/shared-state.ts'
import { healthOf } from '../operations/state.ts'
import { DroppedHop, PROVIDERS, ProviderHealth, RoutedCall } from '../schema.ts'

export const providerHealth = defineTool({
  name: 'provider_health',
  description:
    'Show the state of the model providers: circuit breaker, counts, rate-limiter tokens, maintenance, place in the failover chain. Without a provider also the retry budget, dropped hops and recent routing decisions. Returns {providers, failoverChain, …}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ provider: Type.Optional(Type.Enum(PROVIDERS, { description: 'Only this provider.' })) }, closed),
  output: Type.Object(
    {
      providers: Type.Array(ProviderHealth, { description: 'Configured providers.' }),
      failoverChain: Type.Array(Type.Enum(PROVIDERS)),
      retryBudget: Type.Optional(Type.Object({ maxHops: Type.Integer() }, closed)),
      recentDroppedHops: Type.Optional(
        Type.Array(DroppedHop, { description: 'Dropped hops of your tenant, newest first; of all for the operator.' }),
      ),
      recentRoutingDecisions: Type.Optional(Type.Array(RoutedCall)),
    },
    closed,
  ),
  uses: { pool, shared: sharedState, wide: gatewayWide(states) },
  async handle({ provider }, { pool, shared, wide }, ctx) {
    await shared.refresh(wide, ctx)
    const now = ctx.now().getTime()
    const gates = [...pool.gates.values()].filter((gate) => provider === undefined || gate.provider === provider)
    const failoverChain = [...pool.gates.keys()]
    const providers = gates.map((gate) => healthOf(gate, pool, now))
    if (provider !== undefined) return { providers, failoverChain }
    const tenantId = ctx.holds('operator') ? undefined : ctx.tenantId
    return {
      providers,
      failoverChain,
      retryBudget: { maxHops: pool.settings.maxHops },
      recentDroppedHops: pool.journal.droppedHops.recent(tenantId),
      recentRoutingDecisions: pool.journal.decisions.recent(tenantId),
    }
  },
})
