import { defineCollection } from '@gateway/sdk'
import { Grant } from './schema.ts'

/** Kept by the owner, one for each namespace and grantee; those who hold one read it here with every call. */
export const grants = defineCollection('brain-sharing.grants', {
  schema: Grant,
  key: 'grantId',
  indexes: [{ keys: { grantedAt: -1 } }, { keys: { namespace: 1, grantedAt: -1 } }, { keys: { granteeTenantId: 1 } }],
})
