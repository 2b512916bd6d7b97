import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { type CallContext, contribute, isToolError, type Resolved } from '@gateway/sdk'
import { config } from '../config.ts'
import { refused, spent } from '../metrics.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { checkRunning } from '../operations/check-running.ts'
import { planOf, planUses } from '../operations/plan-of.ts'
import { release } from '../operations/release.ts'
import { reserve, reserveUses } from '../operations/reserve.ts'
import { settle, settleUses } from '../operations/settle.ts'
import type { Scope } from '../rules/scope.ts'

const wholeOf = async (refs: Resolved<typeof planUses>, { tenantId }: CallContext) => ({ tenantId, plan: await planOf(refs, tenantId) })

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Checks every model call before it is made and records its cost afterwards. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...planUses, ...reserveUses, ...settleUses, config, refused, spent },
  errors: [BudgetExceeded],
  create: (refs, ctx) => ({
    async advise(payer) {
      return advise(refs, { ...payer, ...(await wholeOf(refs, ctx)) }, ctx)
    },
    async reserve(planned) {
      if (!refs.config.enabled) return FREE
      const scope: Scope = { ...planned, ...(await wholeOf(refs, ctx)) }
      await reserve(refs, planned, scope).catch((error: unknown) => {
        if (isToolError(error) && error.code === BudgetExceeded.code) refs.refused.add(1)
        throw error
      })
      return {
        async settle(paid) {
          await settle(refs, paid, scope)
          refs.spent.add(paid.costUsd, paid.provider)
        },
        check: (costUsd) => checkRunning(refs, costUsd, scope, ctx),
        // A reservation that cannot be released now is released when it expires.
        release: () =>
          refs
            .atomically((tx) => release(refs, planned.callId, tx))
            .catch((error: unknown) => ctx.log.warn('a reservation could not be released', { err: error, callId: planned.callId })),
      }
    },
  }),
})
