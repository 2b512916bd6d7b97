import { defineError, Type } from '@gateway/sdk'

export const TooManyAccounts = defineError('TOO_MANY_ACCOUNTS', {
  status: 409,
  description: 'The tenant has reached the maximum number of accounts. Use the names of existing accounts.',
  details: Type.Object({ limit: Type.Integer() }),
  message: ({ limit }) => `At most ${limit} accounts are kept; nothing was recorded.`,
})
