import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute, isSynthetic, tenantAdmin } from '@gateway/sdk'
import { activation } from '../api.ts'
import { journeys } from '../collections.ts'
import { signedUp } from '../operations/signed-up.ts'
import { isRetained } from '../rules/retained.ts'
import { JOURNEY } from '../services/activation.ts'

/** A done task counts as shipped: for the first time, or by a tenant that has stayed. One read for each, once both are known. */
export const shipped = contribute(taskChange, {
  uses: { activation, journeys, tenants: tenantAdmin },
  create: ({ activation, journeys, tenants }, ctx) => ({
    async apply({ before, after }, tx) {
      if (after.status !== 'done' || before.status === 'done' || isSynthetic(ctx.tenantId)) return
      const journey = await journeys.in(tx).get(JOURNEY)
      if (journey?.first_task_shipped === undefined) await activation.record('first_task_shipped', tx)
      if (journey?.retained !== undefined) return
      const begun = (await signedUp(tenants, ctx.tenantId)) ?? journey?.init
      if (begun !== undefined && isRetained(begun, ctx.now())) await activation.record('retained', tx)
    },
  }),
})
