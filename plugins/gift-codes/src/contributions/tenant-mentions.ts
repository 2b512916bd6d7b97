import { contribute, gatewayWide, tenantMentions } from '@gateway/sdk'
import { giftCodes } from '../collections.ts'

/** Replaces the name of a removed tenant: the code stays redeemed. */
const GONE = '(removed)'

/** Codes belong to the operator and name the tenant that redeemed them. */
export const redeemedByTenant = contribute(tenantMentions, {
  uses: { codes: gatewayWide(giftCodes) },
  create: ({ codes }) => ({
    name: 'gift-codes.redeemed',
    count: (redeemedBy) => codes.count({ redeemedBy }),
    remove: async (redeemedBy) => void (await codes.writable().updateMany({ redeemedBy }, { set: { redeemedBy: GONE } })),
  }),
})
