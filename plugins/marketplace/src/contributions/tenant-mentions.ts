import { contribute, tenantMentions } from '@gateway/sdk'
import { removeListings, removeUses } from '../operations/remove-listings.ts'

/** Packages published by a tenant are visible to all tenants, and are removed with it. */
export const publishedByTenant = contribute(tenantMentions, {
  uses: removeUses,
  create: (refs) => ({
    name: 'marketplace.published',
    count: (ownerTenantId) => refs.listings.count({ ownerTenantId }),
    remove: (tenantId) => removeListings(tenantId, refs),
  }),
})
