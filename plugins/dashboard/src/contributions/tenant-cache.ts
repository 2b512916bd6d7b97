import { contribute, tenantCache } from '@gateway/sdk'
import { knownTenants } from '../services/known-tenants.ts'

/** A tenant that has ended, and is made again, connects for the first time again. */
export const forgetTenant = contribute(tenantCache, {
  uses: { knownTenants },
  create: ({ knownTenants }) => ({ forget: (tenantId) => void knownTenants.delete(tenantId) }),
})
