import { dispatchBudget } from '@gateway/plugin-dispatch/api'
import { contribute } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

/** Checked by a dispatch cycle before it hands out work. */
export const dispatchGate = contribute(dispatchBudget, {
  uses: statusUses,
  create: (refs, ctx) => ({
    async check() {
      const { state, reason, todayUsd } = await status(refs, ctx)
      return { spentTodayUsd: todayUsd, ...(state === 'exceeded' && reason !== undefined && { exhausted: reason }) }
    },
  }),
})
