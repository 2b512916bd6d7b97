import { closed, defineRoute, Type } from '@gateway/sdk'
import { settleJob } from '../jobs/settle.ts'
import { redeem, redeemUses } from '../operations/redeem.ts'
import { Plan } from '../schema.ts'

export const redeemRoute = defineRoute({
  name: 'gift-codes.redeem',
  description: 'Redeem a gift code for the caller’s tenant. Returns the tenant’s new plan.',
  capability: 'billing',
  effect: 'write',
  rest: 'POST /api/gift-codes/redeem',
  input: Type.Object({ code: Type.String({ minLength: 1, maxLength: 100, description: 'Case and hyphens do not matter.' }) }, closed),
  output: Type.Object({ plan: Plan, redeemedAt: Type.String() }, closed),
  uses: { ...redeemUses, settling: settleJob },
  async handle({ code }, refs, ctx) {
    const { plan, redeemedAt = ctx.now().toISOString() } = await redeem(code, refs, ctx)
    return { plan, redeemedAt }
  },
})
