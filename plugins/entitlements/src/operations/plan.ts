import { type CallContext, findTenant, planWithoutRecord, type Resolved, tenantAdmin } from '@gateway/sdk'
import { config } from '../config.ts'
import { PLANS, type Plan, type PlanTerms, termsOf } from '../rules/plans.ts'

export const planUses = { tenants: tenantAdmin, config }

export async function planOf(
  { tenants, config }: Resolved<typeof planUses>,
  { tenantId }: Pick<CallContext, 'tenantId'>,
): Promise<{ plan: Plan; terms: PlanTerms }> {
  const plan = (await findTenant(tenants, tenantId))?.plan
  // Settings that limit a plan are for those that it is sold to.
  if (plan === undefined) return { plan: planWithoutRecord, terms: PLANS[planWithoutRecord] }
  return { plan, terms: termsOf(plan, config.plans) }
}
