import { healthFigures } from '@gateway/plugin-health/api'
import { contribute, gatewayWide } from '@gateway/sdk'
import { states } from '../collections.ts'
import { host } from '../operations/host.ts'
import { sharedState } from '../operations/shared-state.ts'
import { stateOf } from '../operations/state.ts'

/** Resilience of the models: how many providers calls can use, and the state of each. */
export const providerFigures = contribute(healthFigures, {
  uses: { host, shared: sharedState, wide: gatewayWide(states) },
  create: ({ host, shared, wide }, ctx) => ({
    name: 'providers',
    async figures() {
      await shared.refresh(wide, ctx)
      const now = ctx.now().getTime()
      const lanes = [...host.lanes.values()].map((lane) => stateOf(lane, host, now))
      const usable = lanes.filter(({ breaker, status }) => breaker !== 'open' && status === 'active')
      return { configured: lanes.length, usable: usable.length, maxHops: host.settings.maxHops, lanes }
    },
  }),
})
