import { closed, defined, defineRoute, gatewayWide, LIST_BYTES, Type } from '@gateway/sdk'
import { giftCodes } from '../collections.ts'
import { showGiftCode } from '../rules/show.ts'
import { operatorRoute, shownGiftCode } from '../schema.ts'

export const list = defineRoute({
  ...operatorRoute,
  name: 'gift-codes.list',
  description: 'For the operator: list the gift codes, the newest first, with who redeemed them. Returns no code.',
  effect: 'read',
  rest: 'GET /api/gift-codes',
  input: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'At most this many.' })),
      cursor: Type.Optional(Type.String({ description: 'The nextCursor of the page before.' })),
    },
    closed,
  ),
  output: Type.Object({ giftCodes: Type.Array(shownGiftCode), nextCursor: Type.Optional(Type.String()) }, closed),
  uses: { codes: gatewayWide(giftCodes) },
  async handle({ limit = 100, cursor }, { codes }) {
    const page = { sort: { createdAt: -1 }, limit, maxBytes: LIST_BYTES, ...defined({ cursor }) } as const
    const { items, nextCursor } = await codes.find(page)
    return { giftCodes: items.map(showGiftCode), ...defined({ nextCursor }) }
  },
})
