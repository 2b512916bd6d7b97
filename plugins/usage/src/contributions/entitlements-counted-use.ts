import { countedUse } from '@gateway/plugin-entitlements/api'
import { contribute, startOfMonth } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { dayOf } from '../rules/report.ts'

/** A seat is taken by each member who has used the product in this month (UTC). */
export const seatsUsed = contribute(countedUse, {
  uses: { counts },
  create: ({ counts }, ctx) => ({
    limit: 'seats' as const,
    async used() {
      const where = { span: 'day', dimension: 'member', bucket: { gte: dayOf(startOfMonth(ctx.now())) } } as const
      return (await counts.group({ where, by: ['value'] })).length
    },
  }),
})
