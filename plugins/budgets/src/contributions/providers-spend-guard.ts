import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { contribute, isToolError } from '@gateway/sdk'
import { refused, spent } from '../metrics.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { checkRunning, runningUses } from '../operations/check-running.ts'
import { release } from '../operations/release.ts'
import { reserve, reserveUses } from '../operations/reserve.ts'
import { scopeOf, scopeUses } from '../operations/scope-of.ts'
import { settle, settleUses } from '../operations/settle.ts'
import type { Scope } from '../rules/scope.ts'

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Checks every model call before it is made and records its cost afterwards. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...scopeUses, ...reserveUses, ...settleUses, ...runningUses, refused, spent },
  errors: [BudgetExceeded],
  create: (refs, ctx) => ({
    async advise(payer) {
      return advise(refs, { ...payer, ...(await scopeOf(refs, payer.taskId, ctx)) }, ctx)
    },
    async reserve(planned) {
      if (!refs.config.enabled) return FREE
      const scope: Scope = { ...planned, ...(await scopeOf(refs, planned.taskId, ctx)) }
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
