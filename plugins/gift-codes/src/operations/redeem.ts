import {
  type CallContext,
  Conflict,
  gatewayWide,
  isToolError,
  type JobHandle,
  NotFound,
  type Resolved,
  tenantAdmin,
  Unavailable,
} from '@gateway/sdk'
import { giftCodes, redemptions } from '../collections.ts'
import { hashOf } from '../rules/code.ts'
import { isAbove } from '../rules/plans.ts'
import type { GiftCode, Redemption } from '../schema.ts'

export const redeemUses = { codes: gatewayWide(giftCodes), redemptions, tenants: tenantAdmin }
type Refs = Resolved<typeof redeemUses>
type Settling = JobHandle<unknown>
/** A run that was under way may have begun before this redemption was written; the next one has it. */
const RUNS = 3

/** Assigns the code to the caller's tenant and raises its plan. Exactly one of several concurrent callers gets it. */
export async function redeem(code: string, refs: Refs & { settling: Settling }, ctx: CallContext): Promise<Redemption> {
  const found = await redeemable(hashOf(code), refs, ctx)
  await request(found, refs, ctx)
  for (let run = 0; run < RUNS; run++) {
    await refs.settling.run()
    const now = await refs.redemptions.get(found.codeHash)
    if (!now) throw alreadyRedeemed()
    if (now.state === 'redeemed') return now
  }
  throw Unavailable({
    message: 'The code is being redeemed; GET /api/license/status shows when the plan is raised.',
    retryAfterSeconds: 60,
  })
}

async function redeemable(codeHash: string, { codes, tenants }: Refs, ctx: CallContext): Promise<GiftCode> {
  const found = await codes.get(codeHash)
  // The refusal reveals nothing about a code, and does not repeat the input.
  if (!found) throw NotFound({ what: 'gift code', id: 'as given' })
  if (found.redeemedBy !== undefined) throw alreadyRedeemed()
  if (found.expiresAt <= ctx.now().toISOString())
    throw Conflict({ message: `This gift code expired; it had to be redeemed before ${found.expiresAt}.` })
  const { plan } = await tenants.get(ctx.tenantId)
  if (isAbove(found.plan, plan)) return found
  throw Conflict({
    message: `This tenant gains nothing: it is on the plan ${plan}, and the code is for ${found.plan}. The code stays valid for another tenant.`,
  })
}

async function request({ codeHash, plan }: GiftCode, { redemptions }: Refs, ctx: CallContext): Promise<void> {
  try {
    await redemptions.insert({ codeHash, plan, state: 'pending', requestedAt: ctx.now().toISOString() })
  } catch (error) {
    if (isToolError(error) && error.code === 'DUPLICATE_KEY') throw alreadyRedeemed()
    throw error
  }
}

const alreadyRedeemed = () => Conflict({ message: 'This gift code was already redeemed.' })
