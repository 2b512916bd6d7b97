import { defineCollection } from '@gateway/sdk'
import { giftCodeSchema, redemptionSchema } from './schema.ts'

/** Gateway-wide only: a code is minted before its owner is known. */
export const giftCodes = defineCollection('gift-codes', {
  schema: giftCodeSchema,
  key: 'codeHash',
  indexes: [{ keys: { createdAt: -1 } }, { keys: { redeemedBy: 1 }, present: 'redeemedBy' }],
})

/** Per tenant. */
export const redemptions = defineCollection('gift-codes.redemptions', {
  schema: redemptionSchema,
  key: 'codeHash',
  indexes: [{ keys: { state: 1, requestedAt: 1 }, acrossTenants: true }, { keys: { redeemedAt: -1 } }],
})
