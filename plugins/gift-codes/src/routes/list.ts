import { closed, defined, defineRoute, gatewayWide, LIST_BYTES, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { giftCodes } from '../collections.ts'
import { showGiftCode } from '../rules/show.ts'
import { operatorRoute, shownGiftCode } from '../schema.ts'

const ROWS = rowLimit(100, 1_000)

export const list = defineRoute({
  ...operatorRoute,
  name: 'gift-codes.list',
  description:
    'For the operator: list the gift codes, newest first, with the tenants that redeemed them. The codes themselves are not returned.',
  effect: 'read',
  rest: 'GET /api/gift-codes',
  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object({ giftCodes: Type.Array(shownGiftCode), nextCursor }, closed),
  uses: { codes: gatewayWide(giftCodes) },
  async handle({ limit, cursor }, { codes }) {
    const page = { sort: { createdAt: -1 }, limit: ROWS.of(limit), maxBytes: LIST_BYTES, ...defined({ cursor }) } as const
    const { items, nextCursor } = await codes.find(page)
    return { giftCodes: items.map(showGiftCode), ...defined({ nextCursor }) }
  },
})
