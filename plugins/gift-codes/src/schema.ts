import { closed, type Infer, Type, tenantPlans } from '@gateway/sdk'

export const Plan = Type.Enum(tenantPlans)
export type Plan = (typeof tenantPlans)[number]

const giftCodeFields = {
  giftCodeId: Type.String({ description: 'Prefix gift-. It is not the code and cannot be redeemed.' }),
  plan: Plan,
  note: Type.Optional(Type.String()),
  createdAt: Type.String(),
  expiresAt: Type.String({ description: 'Time before which it must be redeemed.' }),
  redeemedBy: Type.Optional(Type.String({ description: 'Tenant that redeemed it.' })),
  redeemedAt: Type.Optional(Type.String()),
}
/** A code as the operator sees it; the code itself is never shown again. */
export const shownGiftCode = Type.Object(giftCodeFields, closed)
export type ShownGiftCode = Infer<typeof shownGiftCode>
export const giftCodeSchema = Type.Object({ codeHash: Type.String(), ...giftCodeFields }, closed)
export type GiftCode = Infer<typeof giftCodeSchema>

/** A tenant's redemption: written before anything else, so that it is finished whatever happens. */
export const redemptionSchema = Type.Object(
  {
    codeHash: Type.String(),
    plan: Plan,
    state: Type.Enum(['pending', 'redeemed']),
    requestedAt: Type.String(),
    redeemedAt: Type.Optional(Type.String()),
  },
  closed,
)
export type Redemption = Infer<typeof redemptionSchema>

export const operatorRoute = { capability: 'operator', credential: 'admin' } as const
