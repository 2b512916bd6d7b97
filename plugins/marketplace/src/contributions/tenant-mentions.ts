import { contribute, tenantMentions } from '@gateway/sdk'
import { removeListings, removeUses } from '../operations/remove-listings.ts'

/** What a tenant has published is all tenants’ to see, and goes with it. */
export const publishedByTenant = contribute(tenantMentions, {
  uses: removeUses,
  create: (refs) => ({
    name: 'marketplace.published',
    count: (ownerTenantId) => refs.listings.count({ ownerTenantId }),
    remove: (tenantId) => removeListings(tenantId, refs),
  }),
})
