import { Forbidden, type ToolError } from '@gateway/sdk'

/** Refusal of a write for a tenant that has ended. */
export function tenantDeleted(tenantId: string): ToolError {
  return Forbidden({ message: `Tenant ${tenantId} is deleted: the store refuses writes for it.` })
}
