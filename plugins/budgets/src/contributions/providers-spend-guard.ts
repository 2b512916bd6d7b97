import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { contribute, isToolError } from '@gateway/sdk'
import { refused } from '../metrics.ts'
import { advise, adviseUses } from '../operations/advise.ts'
import { HeldCall, heldUses } from '../operations/held-call.ts'
import { scopeOf, scopeUses } from '../operations/scope-of.ts'
import { capsFor } from '../rules/caps.ts'
import type { Scope } from '../rules/scope.ts'

const FREE = { settle: async () => undefined, release: async () => undefined }

/** Checks every model call before it is made and records its cost afterwards. */
export const guard = contribute(spendGuard, {
  uses: { ...adviseUses, ...scopeUses, ...heldUses, refused },
  errors: [BudgetExceeded],
  create: (refs, ctx) => ({
    async advise(payer) {
      return advise(refs, { ...payer, ...(await scopeOf(refs, payer.taskId, ctx)) }, ctx)
    },
    async reserve(planned) {
      if (!refs.config.enabled) return FREE
      const scope: Scope = { ...planned, ...(await scopeOf(refs, planned.taskId, ctx)) }
      const call = new HeldCall(refs, planned, scope, ctx)
      if (capsFor(refs.config, ctx.now(), scope).length === 0) return call
      await call.hold().catch((error: unknown) => {
        if (isToolError(error) && error.code === BudgetExceeded.code) refs.refused.add(1)
        throw error
      })
      return call
    },
  }),
})
