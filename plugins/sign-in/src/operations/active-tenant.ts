import { LOCAL_TENANT, type Resolved, tenantAdmin } from '@gateway/sdk'

export const tenantsUses = { tenants: tenantAdmin }

/** Limit of the tenants of one person. */
export const MAX_TENANTS = 100

/** True for a tenant whose callers are served. */
export async function isActiveTenant(tenants: Resolved<typeof tenantsUses>['tenants'], tenantId: string): Promise<boolean> {
  if (tenantId === LOCAL_TENANT) return true
  const tenant = await tenants.get(tenantId).catch(() => undefined)
  return tenant?.status === 'active'
}
