import { defineError, Type } from '@gateway/sdk'

export const NoGrant = defineError('NO_GRANT', {
  status: 403,
  description: 'The caller’s tenant has no active grant of this level from the owner of the namespace.',
  details: Type.Object({ ownerTenantId: Type.String(), namespace: Type.String(), level: Type.String() }),
  message: ({ ownerTenantId, namespace, level }) =>
    `Tenant ${ownerTenantId} has not shared the namespace ${namespace} with you for ${level}: ask there for brain_namespace_share.`,
})

export const NeverGranted = defineError('NEVER_GRANTED', {
  status: 404,
  description: 'The namespace was never shared with this tenant, so there is nothing to revoke.',
  details: Type.Object({ namespace: Type.String(), granteeTenantId: Type.String() }),
  message: ({ namespace, granteeTenantId }) => `The namespace ${namespace} was never shared with tenant ${granteeTenantId}.`,
})
