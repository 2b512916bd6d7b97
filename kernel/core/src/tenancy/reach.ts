import { isSynthetic, LOCAL_TENANT, type Principal } from '@gateway/sdk'

/** The principal that asks plugins for their health. */
export const PROBER: Principal = { id: 'probe', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

export const reachesAll = ({ role }: Principal): boolean => role === 'operator' || role === 'system'

/**
 * Returns the tenants that a caller reaches, its own first: only its own for a tenant's caller, `all` except synthetic ones for
 * `system` and `operator`.
 */
export async function reachOf(principal: Principal, all: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const { tenantId } = principal
  if (!reachesAll(principal)) return [tenantId]
  return [...new Set([tenantId, ...(await all()).filter((id) => !isSynthetic(id))])]
}
