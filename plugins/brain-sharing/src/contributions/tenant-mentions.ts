import { contribute, tenantMentions, throughout } from '@gateway/sdk'
import { grants } from '../collections.ts'

/** Grants are kept by their owners and name their grantees. */
export const grantsToTenant = contribute(tenantMentions, {
  uses: { owners: throughout(grants) },
  create: ({ owners }) => ({
    name: 'brain-sharing.granted',
    async count(granteeTenantId) {
      let count = 0
      for (const { collection } of await owners()) count += await collection.count({ granteeTenantId })
      return count
    },
    async remove(granteeTenantId) {
      for (const { collection } of await owners()) await collection.deleteMany({ granteeTenantId })
    },
  }),
})
