import { countedUse } from '@gateway/plugin-entitlements/api'
import { contribute, isToolError, NotFound, tenantAdmin } from '@gateway/sdk'

/** Each valid key takes a seat of the plan; a key that was replaced keeps its seat until its grace ends. */
export const seatsOfKeys = contribute(countedUse, {
  uses: { tenants: tenantAdmin },
  create: ({ tenants }, ctx) => ({
    limit: 'seats' as const,
    async used() {
      try {
        return (await tenants.listKeys(ctx.tenantId)).length
      } catch (error) {
        // The local tenant has no record, and no keys of its own.
        if (isToolError(error) && error.code === NotFound.code) return 0
        throw error
      }
    },
  }),
})
