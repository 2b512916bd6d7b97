import { type CallContext, isToolError, NotFound, planWithoutRecord, type Resolved, type Tenant, tenantAdmin } from '@gateway/sdk'
import { config } from '../config.ts'
import { PLANS, type Plan, type PlanTerms, termsOf } from '../rules/plans.ts'

export const planUses = { tenants: tenantAdmin, config }
type Refs = Resolved<typeof planUses>

export async function planOf(
  { tenants, config }: Refs,
  { tenantId }: Pick<CallContext, 'tenantId'>,
): Promise<{ plan: Plan; terms: PlanTerms }> {
  const plan = (await recordOf(tenants, tenantId))?.plan
  // Settings that limit a plan are for those that it is sold to.
  if (plan === undefined) return { plan: planWithoutRecord, terms: PLANS[planWithoutRecord] }
  return { plan, terms: termsOf(plan, config.plans) }
}

async function recordOf(tenants: Refs['tenants'], tenantId: string): Promise<Tenant | undefined> {
  try {
    return await tenants.get(tenantId)
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return undefined
    throw error
  }
}
