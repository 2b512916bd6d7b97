import { defineError, Type } from '@gateway/sdk'

export const NoGrant = defineError('NO_GRANT', {
  status: 403,
  description: 'The owner of the namespace has given the caller’s tenant no active grant of that level.',
  details: Type.Object({ ownerTenantId: Type.String(), namespace: Type.String(), level: Type.String() }),
  message: ({ ownerTenantId, namespace, level }) =>
    `Tenant ${ownerTenantId} has not shared the namespace ${namespace} with you for ${level}: ask there for brain_namespace_share.`,
})

export const NeverGranted = defineError('NEVER_GRANTED', {
  status: 404,
  description: 'The namespace was never shared with that tenant, so that there is nothing to take back.',
  details: Type.Object({ namespace: Type.String(), granteeTenantId: Type.String() }),
  message: ({ namespace, granteeTenantId }) => `The namespace ${namespace} was never shared with tenant ${granteeTenantId}.`,
})
