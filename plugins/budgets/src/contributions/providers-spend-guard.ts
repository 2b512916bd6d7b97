import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { type CallContext, contribute, isToolError, type Resolved } from '@gateway/sdk'
import { refused, spent } from '../metrics.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { checkRunning, runningUses } from '../operations/check-running.ts'
import { planOf, planUses } from '../operations/plan-of.ts'
import { release } from '../operations/release.ts'
import { reserve, reserveUses } from '../operations/reserve.ts'
import { settle, settleUses } from '../operations/settle.ts'
import type { Scope } from '../rules/scope.ts'

const wholeOf = async (refs: Resolved<typeof planUses>, { tenantId }: CallContext) => ({ tenantId, plan: await planOf(refs, tenantId) })

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Checks every model call before it is made and records its cost afterwards. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...planUses, ...reserveUses, ...settleUses, ...runningUses, refused, spent },
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
      const { callId } = planned
      // A check that was under way when its call ended leaves no cost behind.
      let ended = false
      const end = (): void => {
        ended = true
        refs.running.end(callId)
      }
      return {
        async settle(paid) {
          end()
          await settle(refs, paid, scope)
          refs.spent.add(paid.costUsd, paid.provider)
        },
        async check(costUsd) {
          if (!ended) await checkRunning(refs, { callId, costUsd }, scope, ctx)
        },
        // A reservation that cannot be released now is released when it expires.
        release() {
          end()
          return refs
            .atomically((tx) => release(refs, callId, tx))
            .catch((error: unknown) => ctx.log.warn('a reservation could not be released', { err: error, callId }))
        },
      }
    },
  }),
})
