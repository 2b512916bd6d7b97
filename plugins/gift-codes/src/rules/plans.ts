import { tenantPlans } from '@gateway/sdk'
import type { Plan } from '../schema.ts'

/** True if a plan is higher than another; they are listed from lowest to highest. */
export const isAbove = (plan: Plan, other: Plan): boolean => tenantPlans.indexOf(plan) > tenantPlans.indexOf(other)
