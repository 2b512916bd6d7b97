import { contribute, gatewayWide, healthProbe } from '@gateway/sdk'
import { states } from '../collections.ts'
import { pool } from '../operations/provider-pool.ts'
import { sharedState } from '../operations/shared-state.ts'

/**
 * Degraded while a provider fails or cools down: calls go to the others, if there are any. A gateway without models is healthy.
 */
export const probe = contribute(healthProbe, {
  uses: { pool, shared: sharedState, wide: gatewayWide(states) },
  create: ({ pool, shared, wide }, ctx) => ({
    name: 'providers',
    async check() {
      await shared.refresh(wide, ctx)
      const now = ctx.now().getTime()
      const found = [...pool.gates.values()].map(
        (gate) => [gate.provider, gate.maintenance ? gate.status : gate.breaker(now).state] as const,
      )
      const well = found.every(([, state]) => state === 'closed')
      return { status: well ? 'healthy' : 'degraded', ...Object.fromEntries(found) }
    },
  }),
})
