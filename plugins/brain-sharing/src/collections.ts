import { defineCollection } from '@gateway/sdk'
import { Grant } from './schema.ts'

/** Kept by the owner, one for each namespace and grantee; each call of a grantee reads its grant here. */
export const grants = defineCollection('brain-sharing.grants', {
  schema: Grant,
  key: 'grantId',
  indexes: [{ keys: { grantedAt: -1 } }, { keys: { namespace: 1, grantedAt: -1 } }, { keys: { granteeTenantId: 1 } }],
})
