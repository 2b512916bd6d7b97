import { type CallContext, isToolError, NotFound, type Resolved, type Tenant, tenantAdmin } from '@gateway/sdk'
import { config } from '../config.ts'
import { PLANS, type Plan, type PlanTerms, termsOf } from '../rules/plans.ts'

export const planUses = { tenants: tenantAdmin, config }
type Refs = Resolved<typeof planUses>

/** The local tenant belongs to the machine's owner: nothing is sold to it, and no plan limits it. */
const WITHOUT_RECORD: Plan = 'scale'

export async function planOf(
  { tenants, config }: Refs,
  { tenantId }: Pick<CallContext, 'tenantId'>,
): Promise<{ plan: Plan; terms: PlanTerms }> {
  const plan = (await recordOf(tenants, tenantId))?.plan
  if (plan === undefined) return { plan: WITHOUT_RECORD, terms: PLANS[WITHOUT_RECORD] }
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
