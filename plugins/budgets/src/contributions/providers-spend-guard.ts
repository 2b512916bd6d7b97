import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { contribute, isToolError } from '@gateway/sdk'
import { config } from '../config.ts'
import { refused, spent } from '../metrics.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { release } from '../operations/release.ts'
import { reserve, reserveUses } from '../operations/reserve.ts'
import { settle, settleUses } from '../operations/settle.ts'

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Checks every model call before it is made and records its cost afterwards. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...reserveUses, ...settleUses, config, refused, spent },
  errors: [BudgetExceeded],
  create: (refs, ctx) => ({
    advise: (payer) => advise(refs, payer, ctx),
    async reserve(planned) {
      if (!refs.config.enabled) return FREE
      await reserve(refs, planned).catch((error: unknown) => {
        if (isToolError(error) && error.code === BudgetExceeded.code) refs.refused.add(1)
        throw error
      })
      return {
        async settle(paid) {
          await settle(refs, paid)
          refs.spent.add(paid.costUsd, paid.provider)
        },
        // A reservation that cannot be released now is released when it expires.
        release: () =>
          refs
            .atomically((tx) => release(refs, planned.callId, tx))
            .catch((error: unknown) => ctx.log.warn('a reservation could not be released', { err: error, callId: planned.callId })),
      }
    },
  }),
})
