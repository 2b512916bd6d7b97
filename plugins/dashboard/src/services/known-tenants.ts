import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

/** Capacity; a tenant that was evicted is written once more, which changes nothing. */
const MAX_TENANTS = 10_000

/** Tenants whose first call over MCP is stored, so that the calls after it cost a look into a map. */
export const knownTenants = defineService<BoundedMap<string, true>>('dashboard.known-tenants', 'process')

export const knownTenantsProvider = provideProcess(knownTenants, { create: () => new BoundedMap<string, true>(MAX_TENANTS) })
