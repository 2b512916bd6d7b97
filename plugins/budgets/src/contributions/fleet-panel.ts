import { fleetPanel } from '@gateway/plugin-fleet/api'
import { contribute, Unavailable } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

/** Today's spend of the caller's tenant. */
export const spendPanel = contribute(fleetPanel, {
  uses: statusUses,
  create: (refs, ctx) => ({
    name: 'spendToday',
    async figures() {
      const { enabled, available, todayUsd: usd, dailyCapUsd, state } = await status(refs, ctx)
      if (!enabled) throw Unavailable({ setting: 'budgets.enabled', message: 'Spend is not counted: budgets.enabled is false.' })
      if (!available) throw Unavailable({ message: 'The store did not answer, so today’s spend is not known.' })
      return { usd, dailyCapUsd, state }
    },
  }),
})
