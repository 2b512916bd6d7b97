import { type CallContext, gatewayWide, type Resolved, tenantAdmin } from '@gateway/sdk'
import { giftCodes, redemptions } from '../collections.ts'
import { isAbove } from '../rules/plans.ts'
import type { Redemption } from '../schema.ts'

export const settleUses = { redemptions, codes: gatewayWide(giftCodes), tenants: tenantAdmin }
type Refs = Resolved<typeof settleUses>
/** Number of redemptions in one run. */
const BATCH = 100

/**
 * Processes a tenant's redemptions: the code is taken on the condition that nobody has it, then the plan is raised, then the
 * redemption is done. After a crash each step finds the result of the previous one. It runs as the gateway, because a tenant's
 * caller may take no code.
 */
export async function settle(refs: Refs, ctx: CallContext): Promise<{ redeemed: number }> {
  const { items } = await refs.redemptions.find({ where: { state: 'pending' }, sort: { requestedAt: 1 }, limit: BATCH })
  let redeemed = 0
  for (const one of items) {
    ctx.signal.throwIfAborted()
    if (await taken(one, refs, ctx)) {
      await raise(one, refs, ctx)
      await refs.redemptions.updateOne(
        one.codeHash,
        { set: { state: 'redeemed', redeemedAt: ctx.now().toISOString() } },
        { state: 'pending' },
      )
      redeemed++
    } else await refs.redemptions.deleteOne(one.codeHash, { state: 'pending' })
  }
  return { redeemed }
}

async function taken({ codeHash }: Redemption, { codes }: Refs, ctx: CallContext): Promise<boolean> {
  const at = ctx.now().toISOString()
  const free = { redeemedBy: null, expiresAt: { gt: at } }
  const mine = await codes.writable().updateOne(codeHash, { set: { redeemedBy: ctx.tenantId, redeemedAt: at } }, free)
  return (mine ?? (await codes.get(codeHash)))?.redeemedBy === ctx.tenantId
}

/** A gift never lowers a plan, even if the operator has raised it meanwhile. */
async function raise({ plan }: Redemption, { tenants }: Refs, { tenantId }: CallContext): Promise<void> {
  const tenant = await tenants.get(tenantId)
  if (isAbove(plan, tenant.plan)) await tenants.change(tenantId, { plan })
}
