import { defineError, Type } from '@gateway/sdk'

export const TooManyAccounts = defineError('TOO_MANY_ACCOUNTS', {
  status: 409,
  description: 'The tenant has as many accounts as are kept. Use the names of those that are there.',
  details: Type.Object({ limit: Type.Integer() }),
  message: ({ limit }) => `At most ${limit} accounts are kept; nothing was recorded.`,
})
