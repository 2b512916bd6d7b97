import { isToolError, NotFound, type TenantAdmin } from '@gateway/sdk'

/** Time of a tenant's sign-up; the operator's own tenant never did. */
export async function signedUp(tenants: TenantAdmin, tenantId: string): Promise<string | undefined> {
  try {
    return (await tenants.get(tenantId)).createdAt
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return undefined
    throw error
  }
}
