import { healthFigures } from '@gateway/plugin-health/api'
import { contribute, gatewayWide } from '@gateway/sdk'
import { states } from '../collections.ts'
import { pool } from '../operations/provider-pool.ts'
import { sharedState } from '../operations/shared-state.ts'
import { stateOf } from '../operations/state.ts'

/** Resilience of the models: how many providers calls can use, and the state of each. */
export const providerFigures = contribute(healthFigures, {
  uses: { pool, shared: sharedState, wide: gatewayWide(states) },
  create: ({ pool, shared, wide }, ctx) => ({
    name: 'providers',
    async figures() {
      await shared.refresh(wide, ctx)
      const now = ctx.now().getTime()
      const gates = [...pool.gates.values()].map((gate) => stateOf(gate, pool, now))
      const usable = gates.filter(({ breaker, status }) => breaker !== 'open' && status === 'active')
      return { configured: gates.length, usable: usable.length, maxHops: pool.settings.maxHops, lanes: gates }
    },
  }),
})
