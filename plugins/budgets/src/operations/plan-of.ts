import { findTenant, planWithoutRecord, type Resolved, tenantAdmin } from '@gateway/sdk'
import { config } from '../config.ts'

export const planUses = { tenants: tenantAdmin, config }

/** The plan of a tenant, as whoami shows it; read only if a plan has a cap. */
export async function planOf({ tenants, config }: Resolved<typeof planUses>, tenantId: string): Promise<string | undefined> {
  if (Object.keys(config.plans).length === 0) return undefined
  return (await findTenant(tenants, tenantId))?.plan ?? planWithoutRecord
}
