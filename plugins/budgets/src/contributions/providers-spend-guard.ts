import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { release } from '../operations/release.ts'
import { reserve, reserveUses } from '../operations/reserve.ts'
import { settle, settleUses } from '../operations/settle.ts'

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Every call of a model: asked before, told after. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...reserveUses, ...settleUses, config },
  errors: [BudgetExceeded],
  create: (refs, ctx) => ({
    advise: (payer) => advise(refs, payer, ctx),
    async reserve(planned) {
      if (!refs.config.enabled) return FREE
      await reserve(refs, planned)
      return {
        settle: (spent) => settle(refs, spent),
        // What cannot be let go of now is let go of when it expires.
        release: () =>
          refs
            .atomically((tx) => release(refs, planned.callId, tx))
            .catch((error: unknown) => ctx.log.warn('a reservation could not be released', { err: error, callId: planned.callId })),
      }
    },
  }),
})
