import { isSynthetic, LOCAL_TENANT, type Principal } from '@gateway/sdk'

/** Who asks the families how they are. */
export const PROBER: Principal = { id: 'probe', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

/** Whether a caller reaches every tenant. */
export const reachesAll = ({ role }: Principal): boolean => role === 'operator' || role === 'system'

/** The tenants a caller reaches, the own one first: no other for a tenant’s caller, `all` but synthetic ones for `system` and `operator`. */
export async function reachOf(principal: Principal, all: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const { tenantId } = principal
  if (!reachesAll(principal)) return [tenantId]
  return [...new Set([tenantId, ...(await all()).filter((id) => !isSynthetic(id))])]
}
