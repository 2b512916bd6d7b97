import { fleetPanel } from '@gateway/plugin-fleet/api'
import { contribute, Unavailable } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

export const spendPanel = contribute(fleetPanel, {
  uses: statusUses,
  create: (refs, ctx) => ({
    name: 'spendToday',
    async figures() {
      const { enabled, available, todayUsd: usd, dailyCapUsd, state } = await status(refs, ctx)
      if (!enabled) throw Unavailable({ setting: 'budgets.enabled', message: 'Spend is not counted: budgets.enabled is false.' })
      if (!available) throw Unavailable({ message: 'Today’s spend is unknown: the store did not answer.' })
      return { usd, dailyCapUsd, state }
    },
  }),
})
