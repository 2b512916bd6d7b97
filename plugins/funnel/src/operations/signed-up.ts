import { findTenant, type TenantAdmin } from '@gateway/sdk'

/** Time of a tenant's sign-up; the operator's own tenant never did. */
export const signedUp = async (tenants: TenantAdmin, tenantId: string): Promise<string | undefined> =>
  (await findTenant(tenants, tenantId))?.createdAt
