import { tenantPlans } from '@gateway/sdk'
import type { Plan } from '../schema.ts'

/** Whether a plan is more than another one; they are listed from the least to the most. */
export const isAbove = (plan: Plan, other: Plan): boolean => tenantPlans.indexOf(plan) > tenantPlans.indexOf(other)
