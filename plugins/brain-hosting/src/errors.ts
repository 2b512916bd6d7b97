import { defineError, Type } from '@gateway/sdk'

export const NotEntitled = defineError('BRAIN_HOSTING_NOT_IN_PLAN', {
  status: 403,
  description: 'A hosted brain is part of the paid plans; the tenant is on the free one.',
  details: Type.Object({ plan: Type.String() }),
  message: ({ plan }) => `A hosted brain is not part of the plan ${plan}.`,
})
