import type { Principal } from '@gateway/sdk'

/** The tenants a caller reaches, the own one first: no other for a tenant’s caller, `all` for `system` and `operator`. */
export async function reachOf({ role, tenantId }: Principal, all: () => Promise<readonly string[]>): Promise<readonly string[]> {
  return role === 'operator' || role === 'system' ? [...new Set([tenantId, ...(await all())])] : [tenantId]
}
