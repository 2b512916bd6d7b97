import { isToolError, NotFound, type TenantAdmin } from '@gateway/sdk'

/** Whether a tenant is kept out of every purge. One that has no record was never put under hold. */
export async function isUnderLegalHold(tenants: TenantAdmin, tenantId: string): Promise<boolean> {
  try {
    return (await tenants.get(tenantId)).legalHold
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return false
    throw error
  }
}
