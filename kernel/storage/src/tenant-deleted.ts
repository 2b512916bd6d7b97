import { Forbidden, type ToolError } from '@gateway/sdk'

export function tenantDeleted(tenantId: string): ToolError {
  return Forbidden({ message: `Tenant ${tenantId} is deleted: the store refuses writes for it.` })
}
