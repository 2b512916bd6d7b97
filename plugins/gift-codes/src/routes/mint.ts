import { closed, DAY_MS, defined, defineRoute, gatewayWide, Type } from '@gateway/sdk'
import { giftCodes } from '../collections.ts'
import { hashOf, newCode } from '../rules/code.ts'
import { showGiftCode } from '../rules/show.ts'
import { operatorRoute, Plan, shownGiftCode } from '../schema.ts'

export const mint = defineRoute({
  ...operatorRoute,
  name: 'gift-codes.mint',
  description: 'Mint a gift code for a plan. Returns the code, shown only once, and its record.',
  effect: 'write',
  rest: 'POST /api/gift-codes',
  status: 201,
  input: Type.Object(
    {
      plan: Plan,
      note: Type.Optional(Type.String({ maxLength: 500, description: 'Note for the operator, such as the recipient.' })),
      expiresInDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_650, default: 365, description: 'Days within which it must be redeemed.' }),
      ),
    },
    closed,
  ),
  output: Type.Object({ code: Type.String({ secret: true }), giftCode: shownGiftCode }, closed),
  uses: { codes: gatewayWide(giftCodes) },
  async handle({ plan, note, expiresInDays = 365 }, { codes }, ctx) {
    const code = newCode()
    const now = ctx.now()
    const times = { createdAt: now.toISOString(), expiresAt: new Date(now.getTime() + expiresInDays * DAY_MS).toISOString() }
    const giftCode = { codeHash: hashOf(code), giftCodeId: ctx.newId('gift-'), plan, ...defined({ note }), ...times }
    return { code, giftCode: showGiftCode(await codes.writable().insert(giftCode)) }
  },
})
