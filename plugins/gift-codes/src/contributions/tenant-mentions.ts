import { contribute, gatewayWide, tenantMentions } from '@gateway/sdk'
import { giftCodes } from '../collections.ts'

/** In place of a tenant that is no more: the code stays redeemed. */
const GONE = '(removed)'

/** Codes are the operator’s, and say who has redeemed them. */
export const redeemedByTenant = contribute(tenantMentions, {
  uses: { codes: gatewayWide(giftCodes) },
  create: ({ codes }) => ({
    name: 'gift-codes.redeemed',
    count: (redeemedBy) => codes.count({ redeemedBy }),
    remove: async (redeemedBy) => void (await codes.writable().updateMany({ redeemedBy }, { set: { redeemedBy: GONE } })),
  }),
})
